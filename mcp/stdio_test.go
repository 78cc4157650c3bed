package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sextant/internal/navigate/contract"
)

// client exchanges JSON-RPC lines with a server over pipes, as a process would.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error // result of ServeStdio; capacity 1
	stop context.CancelFunc
}

func connect(t *testing.T, s *Server) *client {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1), stop: stop}
	go func() {
		c.done <- s.ServeStdio(ctx, inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { stop(); inW.Close(); outR.Close() })
	return c
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(c.in, l+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// message is one line from the server.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (c *client) receive() (m message) {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("read: %v after %q", err, text)
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		c.t.Fatalf("%v: %s", err, text)
	}
	return m
}

// handshake initializes with a protocol revision and returns the one agreed.
func (c *client) handshake(version string) string {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	var r struct {
		ProtocolVersion string         `json:"protocolVersion"`
		Capabilities    map[string]any `json:"capabilities"`
		ServerInfo      map[string]any `json:"serverInfo"`
		Instructions    string         `json:"instructions"`
	}
	if err := json.Unmarshal(c.receive().Result, &r); err != nil {
		c.t.Fatal(err)
	}
	if r.ServerInfo["name"] != "sextant" || r.Capabilities["tools"] == nil || r.Instructions == "" {
		c.t.Errorf("initialize: %+v", r)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r.ProtocolVersion
}

// result is the result of tools/call.
type result struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

func (m message) result(t *testing.T) (r result) {
	t.Helper()
	if m.Error != nil {
		t.Fatalf("error %+v", m.Error)
	}
	if err := json.Unmarshal(m.Result, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		t.Fatalf("content is %s", m.Result)
	}
	return r
}

func call(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id,
		tool, args)
}

// TestRoundTrip runs handshake, list and calls for each revision.
func TestRoundTrip(t *testing.T) {
	for _, v := range []struct {
		asked, agreed string
		structured    bool
	}{
		{"2024-11-05", "2024-11-05", false},
		{"2025-03-26", "2025-03-26", false},
		{"2025-06-18", "2025-06-18", true},
		{"2025-11-25", "2025-11-25", true},
		{"2099-01-01", "2025-11-25", true},
		{"1999-01-01", "2025-11-25", true},
	} {
		t.Run(v.asked, func(t *testing.T) {
			c := connect(t, serve(&fake{}, Options{Version: "1.2.3"}))
			if got := c.handshake(v.asked); got != v.agreed {
				t.Errorf("agreed on %s, want %s", got, v.agreed)
			}
			c.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
			checkTools(t, c.receive())

			c.send(call(1, contract.ToolSearch, `{"path":"/ws","query":"create order"}`))
			m := c.receive()
			if string(m.ID) != "1" {
				t.Errorf("id %s", m.ID)
			}
			r := m.result(t)
			want, err := contract.Encode(searchAnswer())
			if err != nil {
				t.Fatal(err)
			}
			if r.Content[0].Text != string(want) || r.IsError {
				t.Errorf("text is %s", r.Content[0].Text)
			}
			if v.structured != (r.Structured != nil) {
				t.Errorf("structuredContent is %.80s", r.Structured)
			}
			if v.structured && !sameJSON(t, r.Structured, want) {
				t.Errorf("structuredContent differs from the text: %s", r.Structured)
			}

			c.send(call(2, contract.ToolSearch, `{"path":"/ws","query":"create order","format":"text"}`))
			if r := c.receive().result(t); r.Structured != nil ||
				!strings.HasPrefix(r.Content[0].Text, "orders/api/router.go:41") {
				t.Errorf("text: %.80s beside %.80s", r.Structured, r.Content[0].Text)
			}
			c.send(call(3, contract.ToolRead, `{"path":"/ws/orders/api/router.go"}`))
			if r := c.receive().result(t); r.Structured != nil ||
				r.Content[0].Text != string(readAnswer().Text)+readAnswer().Continuation {
				t.Errorf("plain: %.80s beside %.80s", r.Structured, r.Content[0].Text)
			}
			c.send(call(4, contract.ToolRead, `{"path":7}`))
			if r := c.receive().result(t); !r.IsError ||
				!strings.HasPrefix(r.Content[0].Text, "Error: Invalid arguments for 'read_file'. path: ") {
				t.Errorf("invalid: %+v", r)
			}
			c.send(call(5, "no_such_tool", `{}`))
			if m := c.receive(); m.Error == nil || m.Error.Code != -32602 ||
				!strings.Contains(m.Error.Message, "expected one of list_codebases, search_codebase") {
				t.Errorf("unknown tool: %+v", m)
			}
			c.in.Close()
			if err := <-c.done; err != nil {
				t.Errorf("end: %v", err)
			}
		})
	}
}

// TestStatelessRevision calls a tool without a handshake, as in 2026-07-28.
func TestStatelessRevision(t *testing.T) {
	c := connect(t, serve(&fake{}, Options{}))
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`
	c.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
	if m := c.receive(); m.Error != nil || !bytes.Contains(m.Result, []byte("2026-07-28")) {
		t.Errorf("discover: %+v", m)
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_codebases","arguments":{},` +
		meta + `}}`)
	if r := c.receive().result(t); r.Structured == nil || !strings.HasPrefix(r.Content[0].Text, "## Codebases") {
		t.Errorf("call: %+v", r)
	}
}

// TestRootsThatDoNotCome checks that one call waits for a client that does not
// list its roots, that later ones do not, and that a late answer still counts.
func TestRootsThatDoNotCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &session{out: newOutbox(io.Discard, nil), roots: clientRoots{offered: true}}
		start := time.Now()
		for range 3 {
			if dirs := c.listRoots(t.Context()); dirs != nil {
				t.Errorf("roots are %q", dirs)
			}
		}
		if waited := time.Since(start); waited != rootsWithin {
			t.Errorf("three calls waited %v, want %v", waited, rootsWithin)
		}
		c.takeRoots(json.RawMessage(`{"roots":[{"uri":"file:///late"}]}`))
		if dirs := c.listRoots(t.Context()); !slices.Equal(dirs, []string{"/late"}) {
			t.Errorf("roots are %q", dirs)
		}
	})
}

// TestRootsOfTheClient checks which folder a call without a path is about: the
// first root of a client that lists its roots, asked for when it is first
// needed and after a change, else the server's directory.
func TestRootsOfTheClient(t *testing.T) {
	var asked []string
	f := &fake{hook: func(_ context.Context, r contract.Request) (any, error) {
		asked = append(asked, r.(*contract.SearchRequest).Path)
		return searchAnswer(), nil
	}}
	c := connect(t, serve(f, Options{Dir: "/here", Format: contract.FormatText}))
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"test","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	search := call(1, contract.ToolSearch, `{"query":"create order"}`)
	answer := func(dirs string) {
		c.send(search)
		m := c.receive()
		if m.Method != "roots/list" {
			t.Fatalf("the server sent %+v", m)
		}
		c.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"roots":[` + dirs + `]}}`)
		if text := c.receive().result(t).Content[0].Text; !strings.HasPrefix(text, "root /ws\n") {
			t.Errorf("the answer does not name its root: %s", text)
		}
	}
	answer(`{"uri":"https://example.com/x"},{"uri":"file:///home/me/My%20shop","name":"shop"}`)
	c.send(search)
	if text := c.receive().result(t).Content[0].Text; strings.HasPrefix(text, "root ") {
		t.Errorf("the second answer about the folder names the root again: %s", text)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	answer(`{"uri":"file:///home/me/other/"}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	answer(``)
	c.send(call(2, contract.ToolSearch, `{"query":"create order","path":"/given"}`))
	if text := c.receive().result(t).Content[0].Text; strings.HasPrefix(text, "root /given") {
		t.Errorf("the answer names the root that the caller named: %s", text)
	}
	want := []string{"/home/me/My shop", "/home/me/My shop", "/home/me/other", "/here", "/given"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked about %q, want %q", asked, want)
	}
}

func checkTools(t *testing.T, m message) {
	t.Helper()
	var list struct {
		Tools []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			InputSchema struct {
				Type       string         `json:"type"`
				Properties map[string]any `json:"properties"`
				Required   []string       `json:"required"`
			} `json:"inputSchema"`
			OutputSchema any `json:"outputSchema"`
			Annotations  struct {
				ReadOnly    bool  `json:"readOnlyHint"`
				Destructive *bool `json:"destructiveHint"`
				Idempotent  bool  `json:"idempotentHint"`
				OpenWorld   *bool `json:"openWorldHint"`
			} `json:"annotations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(m.Result, &list); err != nil {
		t.Fatal(err)
	}
	required := map[string]string{
		"list_codebases": "[]", "search_codebase": "[query]", "file_outline": "[]",
		"call_graph": "[symbolRef]", "read_file": "[]", "manage_index": "[action path]",
	}
	if len(list.Tools) != len(required) {
		t.Errorf("%d tools", len(list.Tools))
	}
	for _, own := range list.Tools {
		writes := own.Name == "manage_index"
		if want, known := required[own.Name]; !known || fmt.Sprint(own.InputSchema.Required) != want ||
			own.InputSchema.Type != "object" || own.InputSchema.Properties == nil {
			t.Errorf("%s: %+v", own.Name, own.InputSchema)
		}
		if a := own.Annotations; a.ReadOnly == writes || a.Idempotent == writes || a.Destructive == nil ||
			*a.Destructive != writes || a.OpenWorld == nil || *a.OpenWorld {
			t.Errorf("%s: annotations %+v", own.Name, own.Annotations)
		}
		if own.OutputSchema != nil {
			t.Errorf("%s has an output schema", own.Name)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatal(err)
	}
	p, errP := json.Marshal(x)
	q, errQ := json.Marshal(y)
	return errP == nil && errQ == nil && bytes.Equal(p, q)
}

// TestHandshakeOpensNothing checks that listing the tools does not open the
// service, and that many calls open it once, or again after a failure.
func TestHandshakeOpensNothing(t *testing.T) {
	opened, f := 0, &fake{}
	s := NewServer(Options{Open: func(context.Context) (Service, error) {
		opened++
		if opened == 1 {
			return nil, errors.New("disk full")
		}
		return f, nil
	}})
	c := connect(t, s)
	c.handshake("2025-06-18")
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	c.receive()
	c.receive()
	if opened != 0 {
		t.Errorf("opened %d times", opened)
	}
	c.send(call(3, contract.ToolList, `{}`))
	if r := c.receive().result(t); !r.IsError || !strings.Contains(r.Content[0].Text, "disk full") ||
		!strings.Contains(r.Content[0].Text, "error internal_error: ") ||
		!strings.Contains(r.Content[0].Text, "tell the user") || strings.Contains(r.Content[0].Text, "list_codebases") {
		t.Errorf("failed opening: %+v", r)
	}
	for id := range 3 {
		c.send(call(id, contract.ToolList, `{}`))
		c.receive().result(t)
	}
	if opened != 2 {
		t.Errorf("opened %d times", opened)
	}
}

// TestGarbageLines checks that the server survives lines that are no messages.
func TestGarbageLines(t *testing.T) {
	c := connect(t, serve(&fake{}, Options{}))
	for _, bad := range []struct {
		line string
		code int
	}{
		{`{`, -32700}, {`hello`, -32700}, {`{"jsonrpc":"2.0",}`, -32700}, {"\x00\x01\xff", -32700},
		{`Content-Length: 12`, -32700},
		{`[]`, -32600}, {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600}, {`"x"`, -32600}, {`7`, -32600},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600}, {`{"id":1,"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, -32601},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, -32601},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, -32602},
		{strings.Repeat("x", maxMessage+1), -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + strings.Repeat("x", maxMessage) + `"}`, -32600},
	} {
		c.send(bad.line)
		if m := c.receive(); m.Error == nil || m.Error.Code != bad.code {
			t.Errorf("%.60q: %+v, want %d", bad.line, m.Error, bad.code)
		}
	}
	// None of these gets an answer: the answer to the ping comes first.
	c.send("", "   ", "\r", `{"jsonrpc":"2.0","method":"no/such"}`, `{"jsonrpc":"2.0","id":9,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":"x"}`,
		`{"jsonrpc":"2.0","id":19,"error":{"code":1,"message":"no"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\r")
	if m := c.receive(); string(m.ID) != "5" {
		t.Errorf("got %+v", m)
	}
}

// TestCancel checks that a cancellation ends the context of its call only, and
// that the call gets no answer.
func TestCancel(t *testing.T) {
	started := make(chan string, 2)
	ended := make(chan error, 1)
	f := &fake{hook: func(ctx context.Context, req contract.Request) (any, error) {
		q := req.(*contract.SearchRequest).Query
		started <- q
		if q == "slow" {
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
		return nil, nil
	}}
	for _, id := range []string{`7`, `"a b"`} {
		c := connect(t, serve(f, Options{}))
		c.handshake("2025-06-18")
		c.send(`{"jsonrpc":"2.0","id":` + id +
			`,"method":"tools/call","params":{"name":"search_codebase","arguments":{"path":"/r","query":"slow"}}}`)
		<-started
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id +
			`,"reason":"enough"}}`)
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
		c.send(call(8, contract.ToolSearch, `{"path":"/r","query":"quick"}`))
		<-started
		if m := c.receive(); string(m.ID) != "8" || m.result(t).IsError {
			t.Errorf("got %+v", m)
		}
	}
}

// TestCancelAtOnce sends the cancellation in the line after the call, before
// the call can have started.
func TestCancelAtOnce(t *testing.T) {
	f := &fake{hook: func(ctx context.Context, _ contract.Request) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	s := serve(f, Options{Drain: time.Hour})
	var out bytes.Buffer
	var in strings.Builder
	for id := range 50 {
		in.WriteString(call(id, contract.ToolSearch, `{"path":"/r","query":"slow"}`) + "\n")
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", id)
	}
	// If the cancellation were lost, this would wait an hour.
	if err := s.ServeStdio(t.Context(), strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 0 {
		t.Errorf("sent %s", out.String())
	}
}

// TestProgress checks that progress rises, carries the token of the request and
// precedes the answer, and that there is none without a token.
func TestProgress(t *testing.T) {
	f := &fake{hook: func(_ context.Context, req contract.Request) (any, error) {
		report := req.Want().Progress
		for _, at := range []float64{1, 2, 2, 1, 10} {
			report(contract.Progress{Done: at, Total: 10, Message: "files"})
		}
		return nil, nil
	}}
	c := connect(t, serve(f, Options{}))
	c.handshake("2025-06-18")
	for _, token := range []string{`"p-1"`, `42`} {
		c.send(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"manage_index","arguments":{"action":"create","path":"/r"},"_meta":{"progressToken":` + token + `}}}`)
		last, steps := 0.0, 0
		for m := c.receive(); ; m = c.receive() {
			if m.Method == "" {
				m.result(t)
				break
			}
			var p struct {
				Token    json.RawMessage `json:"progressToken"`
				Progress float64         `json:"progress"`
				Total    float64         `json:"total"`
				Message  string          `json:"message"`
			}
			if err := json.Unmarshal(m.Params, &p); err != nil {
				t.Fatal(err)
			}
			if m.Method != "notifications/progress" || string(p.Token) != token || p.Progress <= last ||
				p.Total != 10 || p.Message != "files" {
				t.Errorf("step %s %s", m.Method, m.Params)
			}
			last, steps = p.Progress, steps+1
		}
		if last != 10 || steps < 2 {
			t.Errorf("%d steps up to %v", steps, last)
		}
	}
	f.hook = func(_ context.Context, req contract.Request) (any, error) {
		req.Want().Progress(contract.Progress{Done: 1})
		return nil, nil
	}
	c.send(call(2, contract.ToolManage, `{"action":"create","path":"/r"}`))
	if m := c.receive(); string(m.ID) != "2" {
		t.Errorf("without a token came %+v", m)
	}
}

// TestPanic checks that a panic becomes an internal error and the server
// survives.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	f := &fake{hook: func(context.Context, contract.Request) (any, error) { panic("boom") }}
	s := serve(f, Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	text, isError, err := s.Call(t.Context(), contract.ToolList, nil)
	if err != nil || !isError || !strings.Contains(text, `"reason":"internal_error"`) ||
		!strings.Contains(text, "boom") || strings.Contains(text, "goroutine") {
		t.Errorf("%v %v %s", err, isError, text)
	}
	if !strings.Contains(log.String(), `"stack":"goroutine`) {
		t.Errorf("log is %s", log.String())
	}
	f.hook = nil
	if _, isError, err := s.Call(t.Context(), contract.ToolList, nil); err != nil || isError {
		t.Errorf("after it: %v %v", err, isError)
	}
}

// TestEvent checks the log line of a call.
func TestEvent(t *testing.T) {
	var log bytes.Buffer
	s := serve(&fake{}, Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	if _, _, err := s.Call(t.Context(), contract.ToolSearch,
		json.RawMessage(`{"path":"/ws","query":"x"}`)); err != nil {
		t.Fatal(err)
	}
	var e struct {
		Event, Tool, Status string
		LatencyMs           *float64
		Results             int
		Gate                *contract.GateReport
		Tiers               *contract.Tiers
		IsError             bool
	}
	if err := json.Unmarshal(log.Bytes(), &e); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	if e.Event != "tool_call" || e.Tool != contract.ToolSearch || e.Status != "ok" || e.LatencyMs == nil ||
		e.Results != 2 || e.IsError ||
		e.Gate == nil || *e.Gate != (contract.GateReport{FilesChecked: 3, FilesReindexed: 1,
		DirectoriesChecked: 2}) || e.Tiers == nil || e.Tiers.Semantic.State != contract.TierOff {
		t.Errorf("event %s", log.String())
	}
}

// TestCallsInTurn checks that calls beyond the limit wait, and are refused if
// their turn does not come in time.
func TestCallsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most := 0, 0
		gate := make(chan struct{})
		s := NewServer(Options{Open: func(context.Context) (Service, error) {
			return &slowService{enter: func(n int) {
				mu.Lock()
				defer mu.Unlock()
				running += n
				most = max(most, running)
			}, gate: gate}, nil
		}})
		var calls sync.WaitGroup
		refused := make(chan string, 20)
		for range 10 {
			calls.Go(func() {
				if text, isError, _ := s.Call(t.Context(), contract.ToolList, nil); isError {
					refused <- text
				}
			})
		}
		synctest.Wait()
		if most != defaultCalls {
			t.Errorf("%d calls ran at once", most)
		}
		time.Sleep(defaultQueue) // on the bubble's clock: the two waiting calls give up
		synctest.Wait()
		if len(refused) != 2 {
			t.Fatalf("%d calls were refused", len(refused))
		}
		if text := <-refused; !strings.Contains(text, "error server_busy: ") || !strings.Contains(text, "30s") {
			t.Errorf("refused with %s", text)
		}
		close(gate)
		calls.Wait()
		if _, isError, err := s.Call(t.Context(), contract.ToolList, nil); isError || err != nil {
			t.Errorf("after it: %v %v", isError, err)
		}
	})
}

// slowService answers list_codebases when its gate opens.
type slowService struct {
	fake
	enter func(int)
	gate  chan struct{}
}

func (s *slowService) ListCodebases(context.Context, contract.ListRequest) (contract.ListAnswer, error) {
	s.enter(1)
	defer s.enter(-1)
	<-s.gate
	return listAnswer(), nil
}

// TestEndOfInput checks that requests before the end of input are answered, and
// that calls which do not finish are cancelled.
func TestEndOfInput(t *testing.T) {
	var out bytes.Buffer
	in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" + call(1, contract.ToolList, `{}`)
	if err := serve(&fake{}, Options{Drain: time.Minute}).ServeStdio(t.Context(), strings.NewReader(in),
		&out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 2 || !strings.Contains(out.String(), "## Codebases") {
		t.Errorf("sent %s", out.String())
	}
	started, cancelled := make(endOfInput), make(chan struct{})
	f := &fake{hook: func(ctx context.Context, _ contract.Request) (any, error) {
		close(started)
		<-ctx.Done()
		close(cancelled)
		return nil, ctx.Err()
	}}
	input := io.MultiReader(strings.NewReader(call(1, contract.ToolList, `{}`)+"\n"), started)
	if err := serve(f, Options{Drain: time.Millisecond}).ServeStdio(t.Context(), input, io.Discard); err != nil {
		t.Fatal(err)
	}
	<-cancelled
}

// endOfInput is a reader that ends when the channel is closed.
type endOfInput chan struct{}

func (e endOfInput) Read([]byte) (int, error) {
	<-e
	return 0, io.EOF
}

// TestStop checks that the server ends with its context while the input stays
// open, and cancels running calls.
func TestStop(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	f := &fake{hook: func(ctx context.Context, _ contract.Request) (any, error) {
		close(started)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}}
	c := connect(t, serve(f, Options{Drain: time.Hour}))
	c.send(call(1, contract.ToolList, `{}`))
	<-started
	c.stop()
	<-ended
	if err := <-c.done; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// brokenPipe fails every write.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestClientGone checks that the server ends when nobody reads its output.
func TestClientGone(t *testing.T) {
	in, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
	if err := serve(&fake{}, Options{}).ServeStdio(t.Context(), in, brokenPipe{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("ended with %v", err)
	}
}
