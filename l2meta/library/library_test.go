package library

import (
	"fmt"
	"strings"
	"testing"
)

const sample = `# a comment
Iterable<T>
	iterator Iterator<T>
	forEach void
Collection<E>: Iterable<E>
	size int
	toArray
Map<K, V>
	entrySet Set<Entry<K, V>>
Set<E>: Collection<E>
Table<K, V>: Map<K, V>, Collection<Entry<K, V>>
Raw: Collection
Loop<T>: Loop<T>
Apply<A, B>
	call (a: A) => B
Use: Apply<string, (n: number) => void>
Task
	wait void
Task<R>: Task
	result R
	then/1 Task<R>
	then/0/2 Task
	any/+ int
	x2/1 int
	/ int
	/: int
Job: Task<int>
`

func TestPackage(t *testing.T) {
	table := New("Word\n\tlength int\npackage a.b\nList<E>: Word\n")
	for name, want := range map[string]string{"Word": "", "List": "a.b"} {
		if typ := table.Type(name); typ == nil || typ.Package != want {
			t.Errorf("%s: %+v, want the package %q", name, typ, want)
		}
	}
	if result, ok := table.Member("List", "length"); result != "int" || !ok {
		t.Errorf("List.length: %q, %v", result, ok)
	}
}

func TestMember(t *testing.T) {
	table := New(sample)
	for _, c := range []struct {
		typ, member, result string
		ok                  bool
	}{
		{"Map", "entrySet", "Set<Entry<K, V>>", true},
		{"Set", "size", "int", true},
		{"Set", "iterator", "Iterator<E>", true},
		{"Table", "iterator", "Iterator<Entry<K, V>>", true},
		{"Table", "entrySet", "Set<Entry<K, V>>", true},
		{"Table", "toArray", "", true},
		{"Raw", "iterator", "", true}, // the type of the elements is not known
		{"Raw", "size", "int", true},
		{"Loop", "next", "", false},
		{"Set", "missing", "", false},
		{"Missing", "size", "", false},
		{"Use", "call", "(a: string) => (n: number) => void", true},
		{"Job", "result", "int", true},
		{"Job", "wait", "void", true},
		{"Task", "result", "", false},
		{"Task`1", "result", "R", true},
		{"Task`2", "result", "", false},
		{"Job", "then", "", true},
		{"Job", "then/1", "Task<int>", true},
		{"Job", "then/2", "Task", true},
		{"Job", "then/3", "", false},
		{"Job", "any/+", "int", true},
		{"Job", "any", "int", true},
		{"Job", "x2/1", "int", true},
		{"Job", "x2", "int", true},
		{"Job", "x2/", "", true},
		{"Job", "wait/", "", false},
		{"Job", "/", "int", true},
		{"Job", "/:", "int", true},
	} {
		result, ok := table.Member(c.typ, c.member)
		if result != c.result || ok != c.ok {
			t.Errorf("%s.%s: %q, %v, want %q, %v", c.typ, c.member, result, ok, c.result, c.ok)
		}
	}
}

func TestNames(t *testing.T) {
	table := New(sample)
	for name, want := range map[string]bool{"entrySet": true, "toArray": true, "Map": false, "missing": false} {
		if got := table.Names(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestLineage(t *testing.T) {
	table := New(sample)
	for name, want := range map[string]string{"Table": "Table Map Collection Iterable", "Loop": "Loop",
		"Raw": "Raw Collection Iterable"} {
		if got := strings.Join(table.Lineage(table.Type(name)), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestDiamonds queries tables in which two paths lead from a type to each of its bases: with 200
// types, 2^100 paths lead to the last one.
func TestDiamonds(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "Left%d: Left%d, Right%d\nRight%d: Left%d, Right%d\n", i, i+1, i+1, i, i+1, i+1)
	}
	text.WriteString("Left100\nRight100\n\tlast int\n")
	for i := range 100 {
		fmt.Fprintf(&text, "Twice%d<T>: Twice%d<Pair<T, T>>\n", i, i+1)
	}
	text.WriteString("Twice100<T>\n\tlong T\n\tshort int\n")
	table := New(text.String())
	for _, c := range []struct {
		typ, member, result string
		ok                  bool
	}{
		{"Left0", "last", "int", true},
		{"Left0", "none", "", false},
		{"Twice0", "short", "int", true},
		{"Twice0", "long", "", true}, // 2^100 times T
		{"Twice99", "long", "Pair<T, T>", true},
	} {
		if result, ok := table.Member(c.typ, c.member); result != c.result || ok != c.ok {
			t.Errorf("%s.%s: %q, %v, want %q, %v", c.typ, c.member, result, ok, c.result, c.ok)
		}
	}
	if n := len(table.Lineage(table.Type("Left0"))); n != 201 {
		t.Errorf("%d types in the lineage, want 201", n)
	}
}
