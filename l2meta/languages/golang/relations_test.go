package golang_test

import (
	"testing"

	"sextant/l2meta/languages/golang"
	"sextant/l2meta/languages/languagetest"
)

func TestRelations(t *testing.T) {
	got := languagetest.Relations(t, golang.Language{}, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.24\n",
		"a.go": `package app

import (
	"fmt"
	other "example.com/app/b"
	_ "example.com/app/gone"
)

type Runs interface { Run(n int) error }
type More interface { Runs; More() }
type Any interface{ Run(n string) error }
type K struct { done func() }
func (k *K) Run(n int) error { return nil }
func (k K) More() {}
type V struct{ K }
func (v V) Run(n int) error { return nil }
type Wrong struct{}
func (w Wrong) Run(n string) error { return nil }
type Named int
func (n Named) Run(i int) error { return fmt.Errorf("x") }
type Fn func(int) error
func (f Fn) Run(n int) error { return f(n) }
func Run(n int) error { return nil }
type Far struct{ other.B }
type Gen[T any] interface { Get() T }
type Box[T any] struct{}
func (b Box[T]) Get() (t T) { return }
`,
		"web.ts":  "export interface Runs { Run(n: number): void }\n",
		"Runs.kt": "interface Runs {\n    fun Run(n: Int): Any?\n}\n",
		"b/b.go":  "package b\n\ntype B struct{}\n\nfunc (B) Run(n int) error { return nil }\nfunc (B) more() {}\n",
	}, "a.go")
	languagetest.CheckRelations(t, got, `
Runs.Run below B.Run, Fn.Run, K.Run, Named.Run, V.Run
More.More below K.More
Any.Run below Wrong.Run
K.Run above Runs.Run
K.More above More.More
V.Run above Runs.Run
Wrong.Run above Any.Run
Named.Run above Runs.Run
Fn.Run above Runs.Run
Gen.Get below Box.Get
Box.Get above Gen.Get
import fmt
import example.com/app/b b/b.go
import example.com/app/gone
`)
}
