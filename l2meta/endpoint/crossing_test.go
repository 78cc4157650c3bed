package endpoint_test

import (
	"context"
	"fmt"
	"testing"

	"sextant/internal/deployable"
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// crossing is one edge between services, in the notation of the fixtures.
type crossing struct {
	kind, site string // "grpc", "src/a.go:12"
	caller     string // "Orders.Place", "" for the code of a file
	handler    string // "src/b.py#Orders.Get"
	via        string
	confidence float64
	why        string
}

// crossings returns every edge between services of a root: out as found from the clients, in as
// found from the handlers.
func crossings(t *testing.T, root *jit.Root) (out, in []crossing) {
	t.Helper()
	return crossingsBy(t, root, resolve.NewCache(languages.All, nil))
}

// crossingsBy is like crossings, but uses a cache that may hold earlier states of the root.
func crossingsBy(t *testing.T, root *jit.Root, cache *resolve.Cache) (out, in []crossing) {
	t.Helper()
	found, err := crossingsWithin(t.Context(), root, cache, false)
	if err != nil {
		t.Fatal(err)
	}
	return found.out, found.in
}

// joined holds the edges between the services of a root: out as found from the clients, in as found from the
// handlers. serves has a line for each route that a declaration handles and each message that it consumes.
type joined struct {
	out, in []crossing
	serves  []string
}

// crossingsWithin returns the edges of a root until ctx ends. If prepared is set, it calls Prepare, packs the edges
// that this has found, and unpacks them into another cache.
func crossingsWithin(ctx context.Context, root *jit.Root, cache *resolve.Cache, prepared bool) (found joined,
	err error) {
	err = root.View(context.WithoutCancel(ctx), func(v *jit.View) error {
		generation, err := jit.Generation(context.WithoutCancel(ctx), v)
		if err != nil {
			return err
		}
		var services []lookup.Service
		for _, s := range root.Services().List {
			services = append(services, lookup.Service{Name: s.Name, Root: s.Root, Also: s.Also, Names: s.Names,
				Beside: s.Kind == deployable.Library || s.Kind == deployable.Test,
				Tests:  s.Kind == deployable.Test,
				Plays:  s.Kind == deployable.LoadGenerator})
		}
		on := func(r *resolve.Resolver) *endpoint.Joiner {
			return endpoint.New(r, func() []lookup.Service { return services }).
				Declared(func() endpoint.Declarations {
					return endpoint.Declarations{Calls: root.Services().Declared, Text: root.Services().Text}
				})
		}
		r := resolve.New(ctx, v, cache, generation)
		join := on(r)
		if prepared {
			if err := join.Prepare(); err != nil {
				return err
			}
			data, err := join.Pack()
			if err != nil {
				return err
			}
			r = resolve.New(ctx, v, resolve.NewCache(languages.All, nil), generation)
			join = on(r)
			if err := join.Unpack(data); err != nil {
				return err
			}
		}
		var ids []int64
		if err := v.Files(context.WithoutCancel(ctx),
			func(f store.FileRow) error { ids = append(ids, f.ID); return nil }); err != nil {
			return err
		}
		handlers := map[resolve.Ref]bool{}
		for _, id := range ids {
			file, err := r.Symbol(id, -1)
			if err != nil {
				return err
			}
			if file.File == nil { // only the existence of the file is known
				continue
			}
			for i := -1; i < len(file.File.Symbols); i++ {
				if i >= 0 && !file.File.Symbols[i].Kind.Callable() {
					continue
				}
				ref := file.File.Ref(i)
				out, err := join.Outgoing(ref)
				if err != nil {
					return err
				}
				for _, x := range out {
					found.out = append(found.out, textOf(&x))
					handlers[x.Handler] = x.Handler.Valid()
				}
				via, err := join.Serves(ref)
				if err != nil {
					return err
				}
				for _, v := range via {
					found.serves = append(found.serves, fmt.Sprintf("%s %d: %+v", file.File.Path, i, v))
				}
			}
		}
		for ref, ok := range handlers {
			if !ok {
				continue
			}
			in, err := join.Incoming(ref)
			if err != nil {
				return err
			}
			for _, x := range in {
				found.in = append(found.in, textOf(&x))
			}
		}
		return nil
	})
	return found, err
}

func textOf(x *endpoint.Crossing) crossing {
	c := crossing{kind: string(x.Kind), site: fmt.Sprintf("%s:%d", x.File.Path, x.Call.NameSpan.StartLine), via: x.Via,
		confidence: x.Confidence, why: x.Why}
	if x.Caller.Valid() && x.Caller.Index >= 0 {
		c.caller = x.Caller.Symbol().QualifiedName
	}
	if x.Handler.Valid() && x.Handler.Index >= 0 {
		c.handler = x.Handler.File.Path + "#" + x.Handler.Symbol().QualifiedName
	} else if x.Handler.Valid() {
		c.handler = x.Handler.File.Path
	}
	return c
}
