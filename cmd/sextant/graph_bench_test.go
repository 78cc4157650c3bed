package main

import (
	"context"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta"
)

// graphRoots returns n callables of the bench root, chosen by a fixed shuffle
// of their ids.
func graphRoots(b *testing.B, a *app, n int) (refs []contract.SymbolRef) {
	b.Helper()
	ctx := context.Background()
	root, _, err := a.roots.Resolve(ctx, benchRoot())
	if err != nil {
		b.Fatal(err)
	}
	err = root.View(ctx, func(v *jit.View) error {
		rows, err := v.Query(ctx, `SELECT id FROM symbols WHERE kind IN ('function', 'method', 'constructor')
			ORDER BY (id%2147483647)*48271%2147483647, id LIMIT ?`, n)
		if err != nil {
			return err
		}
		defer rows.Close()
		var ids []int64
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		for _, id := range ids {
			row, _, err := l2meta.Index{}.At(ctx, v, id>>20, int(id&(1<<20-1)))
			if err != nil {
				return err
			}
			symbol := code.ID(row.Path, row.Language, &row.Symbol)
			refs = append(refs, contract.SymbolRef{File: row.Path, SymbolID: string(symbol)})
		}
		return rows.Err()
	})
	if err != nil || len(refs) == 0 {
		b.Fatalf("%d callables: %v", len(refs), err)
	}
	return refs
}

// settled waits until every call site of the bench root is resolved.
func settled(b *testing.B, a *app) {
	b.Helper()
	root, _, err := a.roots.Resolve(b.Context(), benchRoot())
	if err != nil {
		b.Fatal(err)
	}
	for whole := false; !whole; {
		time.Sleep(50 * time.Millisecond)
		err := root.View(b.Context(), func(v *jit.View) error {
			generation, err := jit.Generation(b.Context(), v)
			whole = a.service.Settled(root, generation)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCallGraph requests the graphs of 300 callables: callers and callees at depth 1, and 200
// edges at depth 6. The background work that a first request starts is done before timing. No
// callable repeats until all were used.
func BenchmarkCallGraph(b *testing.B) {
	a := benchApp(b, benchHome(b))
	if err := a.build(context.Background(), benchRoot()); err != nil {
		b.Fatal(err)
	}
	refs := graphRoots(b, a, 300)
	for _, k := range []struct {
		name         string
		depth, limit int
	}{{"depth1", 1, 20}, {"depth6", 6, 200}} {
		b.Run(k.name, func(b *testing.B) {
			graph := func(ref contract.SymbolRef) time.Duration {
				req := contract.GraphRequest{Path: benchRoot(), SymbolRef: ref, Depth: k.depth, Limit: k.limit}
				if err := req.Normalize(); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				if answer, err := a.service.CallGraph(context.Background(), req); err != nil ||
					answer.Status != contract.StatusOK {
					b.Fatalf("%+v: %v, %+v", ref, err, answer)
				}
				return time.Since(start)
			}
			graph(refs[len(refs)-1])
			settled(b, a)
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				times = append(times, graph(refs[i%len(refs)]))
			}
			percentiles(b, times)
		})
	}
}
