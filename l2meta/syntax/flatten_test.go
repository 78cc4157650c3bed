package syntax

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
)

// TestFlattenAgreesWithBinding checks that a tree which was parsed in an arena and flattened has
// the same nodes as a tree of tree-sitter's Go binding.
func TestFlattenAgreesWithBinding(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "strings", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	g := NewGrammar(golang.GetLanguage(), &Rules{})
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := sitter.NewParser()
		p.SetLanguage(golang.GetLanguage())
		parsed, err := p.ParseCtx(t.Context(), nil, text)
		if err != nil {
			t.Fatal(err)
		}
		left := time.Minute
		tree, err := g.ParseWithin(text, &left)
		if err != nil {
			t.Fatal(err)
		}
		flat := tree.Nodes
		i := 0
		compareNodes(t, flat, parsed.RootNode(), -1, &i)
		if i != len(flat) {
			t.Errorf("%s: %d nodes flattened, %d walked", path, len(flat), i)
		}
		parsed.Close()
	}
}

func compareNodes(t *testing.T, flat []flatNode, n *sitter.Node, parent int32, i *int) {
	self := *i
	f := flat[self]
	*i++
	if f.Start != n.StartByte() || f.End != n.EndByte() || f.parent != parent ||
		(f.flags&flagNamed != 0) != n.IsNamed() || f.symbol != uint16(n.Symbol()) {
		t.Fatalf("node %d is %+v, the binding says %s %d-%d", self, f, n.Type(), n.StartByte(), n.EndByte())
	}
	for c := range int(n.ChildCount()) {
		compareNodes(t, flat, n.Child(c), int32(self), i)
	}
	if int(f.Next) != *i {
		t.Fatalf("node %d ends at %d, want %d", self, f.Next, *i)
	}
}
