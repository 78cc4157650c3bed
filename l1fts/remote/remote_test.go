package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sextant/l1fts/embed"
)

// vectorOf returns the vector that the test's servers give a text, which
// depends on its length.
func vectorOf(text string) []float32 { return []float32{float32(len(text)), 1, 2, 0} }

// wire is one provider's side of its protocol, according to its documentation.
type wire struct {
	path   string
	key    string // header and value that carry the key
	texts  func(t *testing.T, body map[string]any) []string
	answer func(vectors [][]float32) any
}

func inputs(t *testing.T, body map[string]any) (out []string) {
	for _, x := range body["input"].([]any) {
		out = append(out, x.(string))
	}
	return out
}

func openAIAnswer(vectors [][]float32) any {
	var data []any
	for i := range slices.Backward(vectors) { // order is by index, not by place
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": vectors[i]})
	}
	return map[string]any{"object": "list", "data": data}
}

var wires = map[string]wire{
	"ollama": {path: "/api/embed", key: "Authorization: Bearer k", texts: inputs,
		answer: func(vectors [][]float32) any { return map[string]any{"model": "m", "embeddings": vectors} }},
	"openai": {path: "/embeddings", key: "Authorization: Bearer k", texts: inputs, answer: openAIAnswer},
	"voyage": {path: "/embeddings", key: "Authorization: Bearer k",
		texts: func(t *testing.T, body map[string]any) []string {
			if as := body["input_type"]; as != "document" && as != "query" {
				t.Errorf("input_type is %v", as)
			}
			return inputs(t, body)
		}, answer: openAIAnswer},
	"gemini": {path: "/models/m:batchEmbedContents", key: "X-Goog-Api-Key: k",
		texts: func(t *testing.T, body map[string]any) (out []string) {
			for _, x := range body["requests"].([]any) {
				r := x.(map[string]any)
				if r["model"] != "models/m" || r["outputDimensionality"] != 4.0 {
					t.Errorf("request %v", r)
				}
				out = append(out, r["content"].(map[string]any)["parts"].([]any)[0].(map[string]any)["text"].(string))
			}
			return out
		}, answer: func(vectors [][]float32) any {
			var list []any
			for _, v := range vectors {
				list = append(list, map[string]any{"values": v})
			}
			return map[string]any{"embeddings": list}
		}},
}

// serve starts a server for the protocol w; bad may answer a request instead.
func (w wire) serve(t *testing.T, bad func(n int, rw http.ResponseWriter,
	r *http.Request) bool) (url string, requests *atomic.Int64) {
	requests = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		n := int(requests.Add(1))
		if bad != nil && bad(n, rw, r) {
			return
		}
		name, value, _ := strings.Cut(w.key, ": ")
		if r.URL.Path != w.path || r.Method != http.MethodPost || r.Header.Get(name) != value {
			t.Errorf("%s %s, %s: %q", r.Method, r.URL.Path, name, r.Header.Get(name))
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		var out [][]float32
		for _, text := range w.texts(t, body) {
			out = append(out, vectorOf(text))
		}
		json.NewEncoder(rw).Encode(w.answer(out))
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

func open(t *testing.T, provider, url string) *Embedder {
	t.Helper()
	e, err := New(Options{Provider: provider, Model: "m", URL: url, Key: "k", Dimensions: 4, PerMinute: 1 << 30,
		Timeout: 300 * time.Millisecond, Pauses: []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func docs(n int) (out []embed.Document) {
	for i := range n {
		out = append(out, embed.Document{Name: "f", Path: "a.go", Body: strings.Repeat("x", i)})
	}
	return out
}

// check compares vectors with those expected for the documents, in order.
func check(t *testing.T, list []embed.Document, out [][]float32) {
	t.Helper()
	if len(out) != len(list) {
		t.Fatalf("%d vectors for %d documents", len(out), len(list))
	}
	for i, v := range out {
		want := vectorOf(textOf(&list[i]))
		if math.Abs(float64(v[0]/v[1]-want[0])) > 0.01 || math.Abs(float64(v[0]*v[0]+v[1]*v[1]+v[2]*v[2])-1) > 1e-5 {
			t.Fatalf("vector %d is %v, of the direction of %v it should be", i, v, want)
		}
	}
}

func TestProviders(t *testing.T) {
	for provider, w := range wires {
		t.Run(provider, func(t *testing.T) {
			url, requests := w.serve(t, nil)
			e := open(t, provider, url+"/")
			list := docs(150)
			out, err := e.Documents(t.Context(), list)
			if err != nil {
				t.Fatal(err)
			}
			check(t, list, out)
			if n := requests.Load(); n != 3 {
				t.Errorf("%d requests for 150 texts", n)
			}
			for range 3 {
				if v, err := e.Query(t.Context(), "where"); err != nil || len(v) != 4 {
					t.Fatalf("%v, %v", v, err)
				}
			}
			if n := requests.Load(); n != 4 {
				t.Errorf("%d requests: a question is asked once", n-3)
			}
		})
	}
}

// TestBadServer covers failures of servers: each ends with a successful retry
// or with an error that says what happened, in bounded time.
func TestBadServer(t *testing.T) {
	w := wires["openai"]
	once := func(f func(rw http.ResponseWriter, r *http.Request)) func(int, http.ResponseWriter, *http.Request) bool {
		return func(n int, rw http.ResponseWriter, r *http.Request) bool {
			if n == 1 {
				f(rw, r)
			}
			return n == 1
		}
	}
	always := func(f func(rw http.ResponseWriter, r *http.Request)) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, rw http.ResponseWriter, r *http.Request) bool { f(rw, r); return true }
	}
	answer := func(status int, body string) func(http.ResponseWriter, *http.Request) {
		return func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(status); io.WriteString(rw, body) }
	}
	hang := func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() }
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("code and key went elsewhere: %s", r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	cases := []struct {
		name string
		bad  func(int, http.ResponseWriter, *http.Request) bool
		want string // in the error; "" for success
		most int64  // requests
	}{
		{"busy once", once(answer(429, `{"error":{"message":"slow down"}}`)), "", 2},
		{"broken once", once(answer(500, "")), "", 2},
		{"truncated once", once(answer(200, `{"data":[{"index":0,"embed`)), "", 2},
		{"hangs once", once(hang), "", 2},
		{"always busy", always(answer(429, `{"error":{"message":"slow down"}}`)),
			"429 Too Many Requests: slow down", 4},
		{"always broken", always(answer(503, `<html>gateway</html>`)), "503 Service Unavailable", 4},
		{"hangs", always(hang), "does not answer", 4},
		{"no key", always(answer(401, `{"error":{"message":"bad key"}}`)), "is the key right?", 1},
		{"no model", always(answer(404, `{"error":"model \"m\" not found"}`)), `model "m" not found`, 1},
		{"truncated", always(answer(200, `{"data":[`)), "cannot be read", 4},
		{"empty", always(answer(200, ``)), "cannot be read", 4},
		{"other JSON", always(answer(200, `[]`)), "cannot be read", 4},
		{"no vectors", always(answer(200, `{"data":[]}`)), "they have 0 dimensions", 1},
		{"wrong dimension",
			always(answer(200, `{"data":[{"index":0,"embedding":[1,2,3]},{"index":1,"embedding":[1,2,3]}]}`)),
			"3 dimensions, 4 were expected", 1},
		{"not a number",
			always(answer(200, `{"data":[{"index":0,"embedding":[NaN,1,2,3]},{"index":1,"embedding":[1,2,3,4]}]}`)),
			"cannot be read", 4},
		{"overflow", always(answer(200,
			`{"data":[{"index":0,"embedding":[1e39,1,2,3]},{"index":1,"embedding":[1,2,3,4]}]}`)), "cannot be read", 4},
		{"index twice",
			always(answer(200, `{"data":[{"index":0,"embedding":[1,2,3,4]},{"index":0,"embedding":[1,2,3,4]}]}`)),
			"index 0 of 2", 4},
		{"redirect", always(func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}), "redirects are not followed", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url, requests := w.serve(t, c.bad)
			e := open(t, "openai", url)
			list := docs(2)
			out, err := e.Documents(t.Context(), list)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("failed: %v", err)
			case c.want == "":
				check(t, list, out)
			case err == nil || !strings.Contains(err.Error(), c.want):
				t.Errorf("error %v, expected one with %q", err, c.want)
			case strings.Contains(err.Error(), "Bearer"):
				t.Errorf("the key is in %v", err)
			}
			if n := requests.Load(); n > c.most {
				t.Errorf("%d requests, at most %d were expected", n, c.most)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	w := wires["openai"]
	var first, second time.Time
	url, _ := w.serve(t, func(n int, rw http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			first = time.Now()
			rw.Header().Set("Retry-After", "1")
			rw.WriteHeader(429)
			return true
		}
		second = time.Now()
		return false
	})
	if _, err := open(t, "openai", url).Documents(t.Context(), docs(1)); err != nil {
		t.Fatal(err)
	}
	if d := second.Sub(first); d < 900*time.Millisecond {
		t.Errorf("tried again after %s", d)
	}
}

// TestTooLong checks that a refused batch is halved, down to a part of one
// text.
func TestTooLong(t *testing.T) {
	w := wires["ollama"]
	var mu sync.Mutex
	var sizes []int
	url, _ := w.serve(t, func(_ int, rw http.ResponseWriter, r *http.Request) bool {
		data, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(data)))
		mu.Lock()
		sizes = append(sizes, len(data))
		mu.Unlock()
		if len(data) > 3000 {
			rw.WriteHeader(http.StatusBadRequest)
			io.WriteString(rw, `{"error":"input length exceeds the context length"}`)
			return true
		}
		return false
	})
	list := []embed.Document{{Body: strings.Repeat("y", 5000)}, {Body: "short"}, {Body: strings.Repeat("z", 2000)}}
	out, err := open(t, "ollama", url).Documents(t.Context(), list)
	if err != nil || len(out) != 3 || out[0] == nil || out[1] == nil || out[2] == nil {
		t.Fatalf("%v, %v; requests of %v bytes", out, err, sizes)
	}
}

func TestCancel(t *testing.T) {
	url, _ := wires["ollama"].serve(t, func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return true
	})
	e := open(t, "ollama", url)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := e.Documents(ctx, docs(500)); err == nil {
		t.Error("a cancelled call succeeds")
	}
	if d := time.Since(start); d > 250*time.Millisecond {
		t.Errorf("a cancelled call takes %s", d)
	}
}

// TestQueriesFailFast checks that only the first of several questions waits for
// a server that is down.
func TestQueriesFailFast(t *testing.T) {
	url, requests := wires["ollama"].serve(t, func(_ int, rw http.ResponseWriter, _ *http.Request) bool {
		rw.WriteHeader(502)
		return true
	})
	e := open(t, "ollama", url)
	for i := range 5 {
		if _, err := e.Query(t.Context(), fmt.Sprint("question ", i)); err == nil ||
			!strings.Contains(err.Error(), "502") {
			t.Fatalf("error %v", err)
		}
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests to a server that is gone", n)
	}
}

func TestRate(t *testing.T) {
	url, _ := wires["ollama"].serve(t, nil)
	e, err := New(Options{Provider: "ollama", Model: "m", URL: url, Key: "k", Dimensions: 4, PerMinute: 600})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, err := e.Documents(t.Context(), docs(4*batchTexts)); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d < 290*time.Millisecond {
		t.Errorf("4 requests at 10 a second took %s", d)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{Provider: "acme", Model: "m"}, {Provider: "ollama"}, {Provider: "ollama", Model: "unheard-of"},
		{Provider: "ollama", Model: "m", Dimensions: 9000},
		{Provider: "openai", Model: "m", Dimensions: 4, URL: "localhost"},
		{Provider: "openai", Model: "m", Dimensions: 4, URL: "http://example.com/v1", Key: "k"},
		{Provider: "openai", Model: "m", Dimensions: 4, URL: "file:///etc/passwd"},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
	e, err := New(Options{Provider: "voyage", Model: "voyage-code-3", Key: "k"})
	if err != nil || e.Fingerprint() != "voyage:voyage-code-3/1024" || e.Dimensions() != 1024 {
		t.Errorf("%v, %v", e, err)
	}
}
