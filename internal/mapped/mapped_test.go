package mapped

import (
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

type place struct {
	file  uint32
	index int32
	kind  uint8
}

// TestKeep checks that lists of any length keep their elements while the file grows, and lie in the
// file where the system can map one.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(dir)
	if runtime.GOOS != "linux" || errors.Is(err, syscall.ENOSPC) {
		t.Skip("lists are kept on the heap here:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the folder holds %v, %v, want nothing", left, err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var bytes, keptBytes [][]byte
	var places, keptPlaces [][]place
	total := int64(0)
	for range 300 {
		b, p := make([]byte, random.IntN(40_000)), make([]place, random.IntN(1_000))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		for i := range p {
			p[i] = place{random.Uint32(), int32(random.Uint32()), 7}
		}
		bytes, keptBytes = append(bytes, b), append(keptBytes, Keep(f, b))
		places, keptPlaces = append(places, p), append(keptPlaces, Keep(f, p))
		total += int64(len(b) + 12*len(p))
	}
	huge := make([]byte, mostPiece+1)
	huge[mostPiece] = 1
	bytes, keptBytes = append(bytes, huge), append(keptBytes, Keep(f, huge))
	total += int64(len(huge))
	f.Release()
	for i := range bytes {
		if !slices.Equal(bytes[i], keptBytes[i]) || cap(keptBytes[i]) != len(bytes[i]) {
			t.Fatalf("list %d of bytes is not kept", i)
		}
	}
	for i := range places {
		if !slices.Equal(places[i], keptPlaces[i]) || cap(keptPlaces[i]) != len(places[i]) {
			t.Fatalf("list %d of places is not kept", i)
		}
	}
	if used := f.Used(); used < total || used > total+8*601 || !f.Keeps() {
		t.Errorf("%d bytes are used, want %d", used, total)
	}
}

// TestKeepOnHeap checks lists without a file, and with one that cannot grow.
func TestKeepOnHeap(t *testing.T) {
	full := &File{full: true}
	for _, f := range []*File{nil, full} {
		list := append(make([]int32, 0, 9), 1, 2, 3)
		if got := Keep(f, list); !slices.Equal(got, list) || cap(got) != 3 {
			t.Errorf("the copy is %v with capacity %d", got, cap(got))
		}
		if f.Used() != 0 || f.Keeps() {
			t.Error("the list counts as one of the file")
		}
	}
	if Keep[int32](nil, nil) != nil || Keep(nil, []int32{}) == nil {
		t.Error("nil and empty lists are not told apart")
	}
	if _, err := Create("/nowhere/at/all"); err == nil {
		t.Error("a file is created in a folder that does not exist")
	}
}

// TestKeepPointers checks that lists with pointers are refused: the collector would free what they
// refer to.
func TestKeepPointers(t *testing.T) {
	for name, keep := range map[string]func(){
		"pointer": func() { Keep(nil, []*int{nil}) },
		"string":  func() { Keep(nil, []string{"a"}) },
		"struct":  func() { Keep(nil, []struct{ a [2]struct{ b []int } }{{}}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a list with a %s is kept", name)
				}
			}()
			keep()
		}()
	}
}
