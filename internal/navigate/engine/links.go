package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/zeebo/xxh3"

	"sextant/internal/program"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/resolve"
)

// linking is a search for the links between the services of a root, which connect its routes,
// requests and messages. An answer about one service needs the links of all, and the search takes
// seconds on a large root. So one search in the background serves all answers. It continues when
// the time of an answer is over.
type linking struct {
	generation int64              // the state of the index that is searched, or an earlier one
	began      time.Time          // when the search began
	cancel     context.CancelFunc // ends the search
	done       chan struct{}      // closed when the search has ended
	err        error              // why the search failed; valid when done is closed
}

// Linked waits until the links between the services of a root are known at a generation of its index. It
// returns false if ctx ends first, or if the search fails. When ctx ends, the search goes on.
func (s *Engine) Linked(ctx context.Context, root *jit.Root, generation int64) bool {
	for l := s.link(root, generation); l != nil; l = s.link(root, generation) {
		select {
		case <-l.done:
		case <-ctx.Done():
		}
		if ended, err := l.ended(); !ended || !errors.Is(err, context.Canceled) {
			return ended && err == nil
		} // otherwise a search at a later generation has replaced this one
	}
	return false
}

// slowLinks is the duration from which on a search for links counts as a long one.
const slowLinks = 3 * time.Second

// LinksAreSlow reports whether the search for the links between the services of a root has been going on for so long
// that it is likely to go on for longer than an answer can wait.
func (s *Engine) LinksAreSlow(root *jit.Root) bool {
	r := s.state(root)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.linking == nil {
		return false
	}
	ended, _ := r.linking.ended()
	return !ended && time.Since(r.linking.began) > slowLinks
}

// FindLinks starts the search for the links between the services of a root at a generation of its index, unless
// it is under way or done.
func (s *Engine) FindLinks(root *jit.Root, generation int64) { s.link(root, generation) }

// link returns the search for links at a generation of a root. It starts one if there is none, and ends one
// at an earlier generation. A search that failed is not repeated until the index changes. link returns nil if
// the root is closed.
func (s *Engine) link(root *jit.Root, generation int64) *linking {
	r := s.state(root)
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.linking; l != nil {
		if _, err := l.ended(); l.generation >= generation && !errors.Is(err, context.Canceled) {
			return l
		}
		l.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &linking{generation: generation, began: time.Now(), cancel: cancel, done: make(chan struct{})}
	if !root.Go(func(open context.Context) {
		defer cancel()
		defer context.AfterFunc(open, cancel)()
		defer close(l.done)
		if l.err = s.findLinks(ctx, root); l.err != nil && ctx.Err() != nil {
			l.err = ctx.Err() // the database reports an interruption in its own words
		}
	}) {
		cancel()
		return nil
	}
	r.linking = l
	return l
}

// ended reports whether the search has ended, and with which error.
func (l *linking) ended() (bool, error) {
	select {
	case <-l.done:
		return true, l.err
	default:
		return false, nil
	}
}

// findLinks finds the links between the services of a root and keeps them in the cache of the
// root. It reads them from the index if they are stored there, and otherwise searches for them
// and stores them. If a rule panics, it returns an error. A query that applies the rule to the
// same source text panics, too.
func (s *Engine) findLinks(ctx context.Context, root *jit.Root) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("find links between services: panic: %v", p)
		}
	}()
	cache := s.Derived(root)
	defer cache.Extend()()
	var search linkSearch
	err = root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) error {
		search = linkSearch{generation: generation, database: v.Database(), services: services}
		search.join = Joiner(resolve.New(ctx, v, cache, generation), search.services)
		return search.run(ctx, v)
	})
	if err != nil || search.took < keptLinks {
		return err
	}
	found, err := search.found()
	if found != nil {
		s.keepLinks(root, found)
	}
	return err
}

// linkSearch is a search for links at one generation of the index.
type linkSearch struct {
	join       *endpoint.Joiner
	services   *jit.Services
	generation int64
	database   *jit.Identity
	took       time.Duration // 0 if there was nothing to search for, or if the result must not be stored
}

// run reads the links from the index if they are stored there, and otherwise searches for them. The links of a
// partial index are neither read nor stored: the end of the build changes what may be resolved, but not the generation.
func (x *linkSearch) run(ctx context.Context, v *jit.View) error {
	partial, err := jit.Partial(ctx, v)
	if err != nil {
		return err
	}
	if !partial && !x.join.Prepared() {
		kept, err := l2meta.Index{}.LinksAt(ctx, v, x.generation)
		if err != nil || kept.Data != nil && kept.Basis == linksBasis(x.services) && x.join.Unpack(kept.Data) == nil {
			return err
		}
	}
	began := time.Now()
	if err := x.join.Prepare(); err != nil || partial {
		return err
	}
	x.took = time.Since(began)
	return nil
}

// found returns the links to be stored; nil if they must not be stored.
func (x *linkSearch) found() (*foundLinks, error) {
	basis := linksBasis(x.services)
	data, err := x.join.Pack()
	if basis == "" || err != nil {
		return nil, err
	}
	return &foundLinks{l2meta.Links{Basis: basis, Generation: x.generation, Data: data}, x.database}, nil
}

// foundLinks holds links between services that are to be stored in the index.
type foundLinks struct {
	l2meta.Links
	database *jit.Identity // the database in which they were found
}

// keptLinks is the least duration of a search for links whose result is stored in the index: the
// result of a shorter search is not worth storing.
var keptLinks = 200 * time.Millisecond // modified by tests

// linksBasis identifies what links depend on besides the index: the program and the services of the root. It
// returns "" if links must not be stored. The first call takes some 50 ms (program.ID), so it is made only where
// stored links, or a long search, are worth it.
func linksBasis(services *jit.Services) string {
	text, err := json.Marshal([]any{services.List, services.Declared})
	if err != nil || program.ID() == "" {
		return ""
	}
	return fmt.Sprintf("%s %x", program.ID(), xxh3.Hash128(text).Bytes())
}

// keepLinks stores links in the index. While a root is edited, it stores the latest ones once per keepEvery. A
// failure does no harm: the next process searches again.
func (s *Engine) keepLinks(root *jit.Root, found *foundLinks) {
	r := s.state(root)
	r.mu.Lock()
	wait, waiting := time.Until(r.linksKept.Add(keepEvery)), r.linksFound != nil
	r.linksFound = found
	r.mu.Unlock()
	keep := func() {
		r.mu.Lock()
		latest := r.linksFound
		r.linksFound, r.linksKept = nil, time.Now()
		r.mu.Unlock()
		_ = root.Keep(context.Background(), func(tx *jit.Tx) error {
			if tx.Database() != latest.database {
				return nil // the index was built anew
			}
			return l2meta.Index{}.PutLinks(context.Background(), tx, latest.Links)
		})
	}
	switch {
	case waiting:
	case wait <= 0:
		keep()
	default:
		if !root.Go(func(open context.Context) {
			select {
			case <-time.After(wait):
			case <-open.Done():
			}
			keep()
		}) {
			keep() // the root is being closed
		}
	}
}
