package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sextant/l1fts/embed"
)

// Options configures New. Provider and Model are required.
type Options struct {
	Provider string // ollama, openai, voyage or gemini
	Model    string // name of the model at the provider
	URL      string // base of the API; "" means the provider's own
	Key      string // API key; "" means none is sent
	// Dimensions is the length of the vectors; 0 means that of the model, if the
	// model is in the table of well-known ones.
	Dimensions int
	PerMinute  int           // largest number of requests per minute; 0 means 300
	Timeout    time.Duration // longest time of one request; 0 means 30 s
	// Pauses are the pauses between attempts; nil means 0.5, 1, 2, 4 and 8 s.
	Pauses []time.Duration
}

const (
	// batchTexts and batchBytes are the largest number of texts and bytes in one request; every
	// provider accepts that many.
	batchTexts = 64
	batchBytes = 192 << 10
	// textBytes is the largest number of bytes of a document that are sent; most models ignore
	// longer text.
	textBytes = 6 << 10
	// inFlight is the number of requests that run at once.
	inFlight = 2
	// maxRetryAfter is the longest pause that a server may request.
	maxRetryAfter = time.Minute
	// remembered is the number of questions whose vectors are cached.
	remembered = 256
)

// Embedder embeds with a server's model. It is safe for concurrent use.
type Embedder struct {
	opt    Options
	api    api
	client *http.Client
	next   pacer

	mu       sync.Mutex
	queries  map[string][]float32 // guarded by mu; text of a question → its vector
	order    []string             // guarded by mu; keys of queries, oldest first
	failures int                  // guarded by mu; consecutive failures of questions
	closed   time.Time            // guarded by mu; questions fail immediately until then
	last     error                // guarded by mu; the failure that set closed
}

var _ embed.Embedder = (*Embedder)(nil)

// New checks the options and returns an embedder. It sends nothing.
func New(opt Options) (*Embedder, error) {
	a, ok := apis[opt.Provider]
	if !ok {
		return nil, fmt.Errorf("embedder %q: expected ollama, openai, voyage or gemini", opt.Provider)
	}
	if opt.Model == "" {
		return nil, fmt.Errorf("embedder %s: name a model, as in %s:%s", opt.Provider, opt.Provider, a.example)
	}
	if opt.URL == "" {
		opt.URL = a.url
	}
	opt.URL = strings.TrimSuffix(opt.URL, "/")
	if opt.Dimensions == 0 {
		opt.Dimensions = dimensions[strings.TrimSuffix(opt.Model, ":latest")]
	}
	if opt.Dimensions <= 0 || opt.Dimensions > 8192 {
		return nil, fmt.Errorf("embedder %s:%s: say how many dimensions its vectors have, 1 to 8192, "+
			"in SEXTANT_EMBEDDER_DIMENSIONS or as dimensions below [embedder]", opt.Provider, opt.Model)
	}
	if opt.PerMinute <= 0 {
		opt.PerMinute = 300
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 30 * time.Second
	}
	if opt.Pauses == nil {
		opt.Pauses = []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second,
			8 * time.Second}
	}
	if err := opt.checkURL(); err != nil {
		return nil, err
	}
	e := &Embedder{opt: opt, api: a, queries: map[string][]float32{}}
	e.next.gap = time.Minute / time.Duration(opt.PerMinute)
	e.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return e, nil
}

// checkURL returns an error if the URL is invalid, or would send the key
// unencrypted to another host.
func (o *Options) checkURL() error {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return fmt.Errorf("embedder %s: %q is no URL of a server; expected one such as http://localhost:11434",
			o.Provider, o.URL)
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && o.Key != "" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("embedder %s: a key is not sent over http to %s; use https", o.Provider, u.Host)
	}
	return nil
}

// Fingerprint implements [embed.Embedder].
func (e *Embedder) Fingerprint() string {
	return fmt.Sprintf("%s:%s/%d", e.opt.Provider, e.opt.Model, e.opt.Dimensions)
}

// Dimensions implements [embed.Embedder].
func (e *Embedder) Dimensions() int { return e.opt.Dimensions }

// Documents implements [embed.Embedder]. It returns all vectors or an error.
func (e *Embedder) Documents(ctx context.Context, docs []embed.Document) ([][]float32, error) {
	texts := make([]string, len(docs))
	for i := range docs {
		texts[i] = textOf(&docs[i])
	}
	out := make([][]float32, len(docs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(inFlight)
	for from := 0; from < len(texts); {
		to, size := from, 0
		for to < len(texts) && to-from < batchTexts && (to == from || size+len(texts[to]) <= batchBytes) {
			size += len(texts[to])
			to++
		}
		at := from
		part := texts[from:to]
		group.Go(func() error {
			made, err := e.batch(ctx, part)
			copy(out[at:], made)
			return err
		})
		from = to
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// textOf returns the text to embed for a document.
func textOf(d *embed.Document) string {
	head := strings.TrimSpace(d.Path + "\n" + strings.TrimSpace(d.Name+" "+d.Signature))
	return cut(head+"\n"+d.Body, textBytes)
}

// cut returns at most n bytes of s, as valid UTF-8.
func cut(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "")
}

// batch embeds some texts. Servers differ in the length they accept, so a
// refused batch is sent again in halves, and a single refused text is cut.
func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := e.tried(ctx, texts, document)
	var refused *statusError
	if err == nil || !errors.As(err, &refused) || !refused.tooLarge() {
		return out, err
	}
	if len(texts) > 1 {
		half := len(texts) / 2
		first, err := e.batch(ctx, texts[:half])
		if err != nil {
			return nil, err
		}
		rest, err := e.batch(ctx, texts[half:])
		return append(first, rest...), err
	}
	if n := len(texts[0]); n > textBytes/8 {
		return e.batch(ctx, []string{cut(texts[0], n/2)})
	}
	return nil, err
}

// tried is like request, but sends the request again if it failed for a temporary reason.
func (e *Embedder) tried(ctx context.Context, texts []string, as purpose) ([][]float32, error) {
	for try := 0; ; try++ {
		out, err := e.request(ctx, texts, as)
		if err == nil || try == len(e.opt.Pauses) || ctx.Err() != nil {
			return out, err
		}
		if errors.Is(err, errUnusable) {
			return nil, err
		}
		pause := e.opt.Pauses[try]
		var s *statusError
		if errors.As(err, &s) {
			if !s.passes() {
				return nil, err
			}
			pause = max(pause, min(s.retryAfter, maxRetryAfter))
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Query implements [embed.Embedder]. It sends one request without retries, and
// fails immediately for a while after a failure.
func (e *Embedder) Query(ctx context.Context, text string) ([]float32, error) {
	text = cut(text, textBytes)
	e.mu.Lock()
	v, known := e.queries[text]
	wait, last := time.Until(e.closed), e.last
	e.mu.Unlock()
	if known {
		return v, nil
	}
	if wait > 0 {
		return nil, fmt.Errorf("%w (tried again in %s)", last, wait.Round(time.Second))
	}
	out, err := e.request(ctx, []string{text}, question)
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		if !errors.Is(err, context.Canceled) { // a cancellation by the caller is no failure of the server
			pauses := [...]time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}
			e.closed, e.last = time.Now().Add(pauses[min(e.failures, len(pauses)-1)]), err
			e.failures++
		}
		return nil, err
	}
	e.failures = 0
	e.queries[text] = out[0]
	if e.order = append(e.order, text); len(e.order) > remembered {
		delete(e.queries, e.order[0])
		e.order = slices.Delete(e.order, 0, 1)
	}
	return out[0], nil
}

// errUnusable marks errors about vectors that a retry would not improve, such as a wrong number of
// dimensions.
var errUnusable = errors.New("the model's vectors cannot be used")

// unit checks a vector and scales it to unit length; zeros stay zeros.
func (e *Embedder) unit(v []float32) error {
	if len(v) != e.opt.Dimensions {
		return fmt.Errorf("%s: %w: they have %d dimensions, %d were expected", e.Fingerprint(), errUnusable, len(v),
			e.opt.Dimensions)
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return fmt.Errorf("%s: %w: one contains NaN or an infinity", e.Fingerprint(), errUnusable)
	}
	if sum > 0 {
		f := float32(1 / math.Sqrt(sum))
		for i := range v {
			v[i] *= f
		}
	}
	return nil
}

// pacer limits the rate of requests.
type pacer struct {
	mu  sync.Mutex
	gap time.Duration
	at  time.Time // guarded by mu; the earliest time for the next request
}

// wait blocks until the next request may be sent or ctx ends. It returns the
// error of ctx.
func (p *pacer) wait(ctx context.Context) error {
	p.mu.Lock()
	now := time.Now()
	turn := p.at
	if turn.Before(now) {
		turn = now
	}
	p.at = turn.Add(p.gap)
	p.mu.Unlock()
	if turn.Equal(now) {
		return ctx.Err()
	}
	return sleep(ctx, turn.Sub(now))
}
