package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// purpose is the purpose of a text to embed: a document or a question. Some models embed the two
// differently.
type purpose uint8

const (
	document purpose = iota
	question
)

// api describes the protocol of one provider.
type api struct {
	// url is the base of the provider's own API. example is the name of a model, for error messages.
	url, example string
	path         func(o *Options) string                          // path of the request, appended to Options.URL
	header       func(o *Options, h http.Header)                  // sets headers, such as that with the key
	body         func(o *Options, texts []string, as purpose) any // body of a request, before it is encoded as JSON
	vectors      func(data []byte, n int) ([][]float32, error)    // decodes the response to a request with n texts
}

var apis = map[string]api{
	"ollama": {url: "http://localhost:11434", example: "nomic-embed-text",
		path:   func(*Options) string { return "/api/embed" },
		header: bearer,
		body: func(o *Options, texts []string, _ purpose) any {
			return map[string]any{"model": o.Model, "input": texts, "truncate": true}
		},
		vectors: func(data []byte, _ int) ([][]float32, error) {
			var r struct {
				Embeddings [][]float32 `json:"embeddings"`
			}
			err := json.Unmarshal(data, &r)
			return r.Embeddings, err
		}},
	"openai": {url: "https://api.openai.com/v1", example: "text-embedding-3-small",
		path:   func(*Options) string { return "/embeddings" },
		header: bearer,
		body: func(o *Options, texts []string, _ purpose) any {
			body := map[string]any{"model": o.Model, "input": texts, "encoding_format": "float"}
			if strings.HasPrefix(o.Model, "text-embedding-3") { // only vectors of these models can be shortened
				body["dimensions"] = o.Dimensions
			}
			return body
		},
		vectors: indexed},
	"voyage": {url: "https://api.voyageai.com/v1", example: "voyage-code-3",
		path:   func(*Options) string { return "/embeddings" },
		header: bearer,
		body: func(o *Options, texts []string, as purpose) any {
			body := map[string]any{"model": o.Model, "input": texts, "input_type": "document"}
			if as == question {
				body["input_type"] = "query"
			}
			if o.Dimensions != dimensions[o.Model] {
				body["output_dimension"] = o.Dimensions
			}
			return body
		},
		vectors: indexed},
	"gemini": {url: "https://generativelanguage.googleapis.com/v1beta", example: "gemini-embedding-001",
		path:   func(o *Options) string { return "/models/" + url.PathEscape(o.Model) + ":batchEmbedContents" },
		header: func(o *Options, h http.Header) { h.Set("x-goog-api-key", o.Key) },
		body:   geminiBody,
		vectors: func(data []byte, _ int) ([][]float32, error) {
			var r struct {
				Embeddings []struct {
					Values []float32 `json:"values"`
				} `json:"embeddings"`
			}
			err := json.Unmarshal(data, &r)
			var out [][]float32
			for _, e := range r.Embeddings {
				out = append(out, e.Values)
			}
			return out, err
		}},
}

// dimensions maps the names of well-known models to the number of dimensions of
// their vectors.
var dimensions = map[string]int{
	"nomic-embed-text": 768, "mxbai-embed-large": 1024, "all-minilm": 384, "bge-m3": 1024,
	"snowflake-arctic-embed2": 1024,
	"text-embedding-3-small":  1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536,
	"voyage-code-3": 1024, "voyage-3-large": 1024, "voyage-3.5": 1024, "voyage-3.5-lite": 1024,
	"gemini-embedding-001": 768, "text-embedding-004": 768,
}

// bearer sets the header Authorization to "Bearer " and the key, if there is a key.
func bearer(o *Options, h http.Header) {
	if o.Key != "" {
		h.Set("Authorization", "Bearer "+o.Key)
	}
}

// geminiBody returns the body of a request to Gemini: one entry per text, with the purpose as its taskType.
func geminiBody(o *Options, texts []string, as purpose) any {
	task := "RETRIEVAL_DOCUMENT"
	if as == question {
		task = "CODE_RETRIEVAL_QUERY"
	}
	var requests []any
	for _, t := range texts {
		requests = append(requests, map[string]any{"model": "models/" + o.Model, "taskType": task,
			"outputDimensionality": o.Dimensions,
			"content":              map[string]any{"parts": []any{map[string]string{"text": t}}}})
	}
	return map[string]any{"requests": requests}
}

// indexed decodes vectors in OpenAI's format, in which each vector carries the
// index of its text and may come in any order.
func indexed(data []byte, n int) ([][]float32, error) {
	var r struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	out := make([][]float32, n)
	for _, d := range r.Data {
		if d.Index < 0 || d.Index >= n || out[d.Index] != nil {
			return nil, fmt.Errorf("a vector has index %d of %d", d.Index, n)
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}

// maxResponse is the largest number of bytes of a response that are read. It suffices for 64
// vectors of 8,192 numbers.
const maxResponse = 16 << 20

// request sends one batch, without retries, and returns its vectors.
func (e *Embedder) request(ctx context.Context, texts []string, as purpose) ([][]float32, error) {
	if err := e.next.wait(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", e.Fingerprint(), err)
	}
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	body, err := json.Marshal(e.api.body(&e.opt, texts, as))
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.opt.URL+e.api.path(&e.opt), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	e.api.header(&e.opt, req.Header)
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, e.unreachable(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if err != nil {
		return nil, e.unreachable(err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, &statusError{model: e.Fingerprint(), status: resp.StatusCode,
			retryAfter: retryAfter(resp.Header), said: said(data)}
	}
	out, err := e.api.vectors(data, len(texts))
	if err != nil {
		return nil, fmt.Errorf("%s: the answer cannot be read: %w", e.Fingerprint(), err)
	}
	if len(out) != len(texts) {
		return nil, fmt.Errorf("%s: %d vectors came for %d texts", e.Fingerprint(), len(out), len(texts))
	}
	for _, v := range out {
		if err := e.unit(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unreachable returns an error that names the server that did not answer. It
// omits the URL in net/http's errors, which may contain secrets.
func (e *Embedder) unreachable(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	host := e.opt.URL
	if u, parseErr := url.Parse(e.opt.URL); parseErr == nil {
		host = u.Host
	}
	return fmt.Errorf("%s: %s does not answer: %w", e.Fingerprint(), host, err)
}

// statusError is the error for a response with a status other than 200.
type statusError struct {
	model, said string
	status      int
	retryAfter  time.Duration
}

func (s *statusError) Error() string {
	text := fmt.Sprintf("%s: the server answers %d %s", s.model, s.status, http.StatusText(s.status))
	switch {
	case s.status >= 300 && s.status < 400:
		text += " (redirects are not followed: set the URL of the server itself)"
	case s.status == http.StatusUnauthorized || s.status == http.StatusForbidden:
		text += " (is the key right?)"
	}
	if s.said != "" {
		text += ": " + s.said
	}
	return text
}

// passes reports whether the failure is temporary: the same request may succeed
// later.
func (s *statusError) passes() bool {
	return s.status == http.StatusTooManyRequests || s.status == http.StatusRequestTimeout || s.status >= 500
}

// tooLarge reports whether a shorter request may succeed.
func (s *statusError) tooLarge() bool {
	return s.status == http.StatusBadRequest || s.status == http.StatusRequestEntityTooLarge ||
		s.status == http.StatusUnprocessableEntity
}

// retryAfter returns the pause that the header Retry-After requests, or 0 if
// there is no such header.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return time.Duration(min(n, 3600)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// said returns the error message in the JSON body of a response, on one line, or "" if there is
// none.
func said(data []byte) string {
	var r struct {
		Error  json.RawMessage `json:"error"`
		Detail string          `json:"detail"`
	}
	text := ""
	if json.Unmarshal(data, &r) == nil {
		var object struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(r.Error, &text) != nil && json.Unmarshal(r.Error, &object) == nil {
			text = object.Message
		}
		if text == "" {
			text = r.Detail
		}
	}
	return cut(strings.Join(strings.Fields(text), " "), 200)
}
