package endpoint

import (
	"math/rand/v2"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// TestRoutesAreSorted checks that the order of routes does not depend on the order in which the index lists files
// and declarations.
func TestRoutesAreSorted(t *testing.T) {
	a, b := &resolve.File{}, &resolve.File{}
	a.Path, b.Path = "a.proto", "b.go"
	at := func(f *resolve.File, start int, method string, answer resolve.Ref) *route {
		return &route{file: f, at: code.Span{StartByte: start}, method: method, answer: answer}
	}
	want := []*route{
		at(a, 1, "GET", resolve.Ref{}),
		at(a, 1, "GET", resolve.Ref{File: a, Index: 7}),
		at(a, 1, "GET", resolve.Ref{File: b, Index: 2}),
		at(a, 1, "GET", resolve.Ref{File: b, Index: 5}),
		at(a, 1, "PUT", resolve.Ref{File: a, Index: 1}),
		at(a, 9, "GET", resolve.Ref{}),
		at(b, 0, "GET", resolve.Ref{}),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		got := append([]*route(nil), want...)
		random.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		for i, r := range sortRoutes(got) {
			if r != want[i] {
				t.Fatalf("route %d is at %s:%d", i, r.file.Path, r.at.StartByte)
			}
		}
	}
	mounted := []*route{at(a, 1, "GET", resolve.Ref{}), at(a, 1, "GET", resolve.Ref{})}
	if first := mounted[0]; sortRoutes(mounted)[0] != first {
		t.Error("the mounts of a route changed their order")
	}
}
