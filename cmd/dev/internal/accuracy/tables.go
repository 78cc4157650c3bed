package accuracy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sextant/internal/code"
)

const documentHead = `# Accuracy of resolved calls

Made by ` + "`go run ./cmd/dev/accuracy --write`" + ` from the goldens in testdata/accuracy; not to be edited.

For each call site of the repositories below, a compiler, a language server or the running program says which function is called.
The answers of the resolver are compared with that truth.

- *Precision* is the share of edges that lead to the true target. It is given for edges with a confidence of at least 0.9, and for
  all edges that are shown (0.5 and more).
- *Recall* is the share of calls within the workspace that have a right edge with a confidence of at least 0.9. It is given for
  *static* calls, and for calls of an *interface*'s method, where the right edge leads to the interface.
- *External, precision* is the share of the calls said to leave the repository whose callee truly lies outside.
- *External, recall* is the share of the calls whose callee lies outside that are said to leave the repository. The others stay open.

Numbers in brackets are Wilson's bounds at 95 %. The rules were written without the *held* repositories, with these exceptions,
which were read after a first measurement and led to a general rule: commons-collections, javapoet and mockito (Java), kotlinpoet
(Kotlin), re2 and tinyxml2 (C++), libuv (C), flask (Python), Dapper, MediatR and jellyfin (C#), benchee (Elixir).

Languages stand in the order of the lower of their two recalls, of dev and of held, each over static and interface calls together;
the lowest comes first. Repositories stand in the order of ` + "`testdata/corpus.lock`" + `, strategies by name,
"in cpp" where a repository has files of another language.

*Stated* is what the
edges of a strategy carry as their confidence: the lower bound of its precision in the language of their files, over dev and held
together, and at most 0.7 where both have fewer than 50 edges of it. Confidences are shown with two digits, rounded down.

What keeps recall low: Ruby's receivers that nothing types (its interface class); in C++ overloads that only the types of arguments
tell apart; in Kotlin overloads that differ in the arguments of generic types alone, and code that the grammar loses (Exposed); in
C# what only the source of the libraries types; in TypeScript methods of interfaces that reach the caller through conditional
types and mapped types that change what they map, and callbacks typed by overloaded generic signatures (hono).

"External" is to reach a precision of 0.99 and a recall of 0.97. cmd/dev/internal/accuracy/external_test.go holds the figures to that, and
names those that fall short. An annotation from outside runs nothing where it stands: it is no site. What a standard library gives
is typed by a table of its declarations.

A call on what any other library gives counts as external where nothing in the workspace bears
its name; the others stay open, as do calls on values that nothing types, which is what keeps the recall of Ruby low.

`

// engines maps a language to the program that found the true targets of its calls.
var engines = map[string]string{
	"c": "libclang", "cpp": "libclang", "csharp": "Roslyn", "elixir": "the compiler's tracers", "go": "go/types",
	"java":       "javac",
	"javascript": "the TypeScript compiler",
	"kotlin":     "the front end of kotlinc", "php": "two language servers, where they agree", "python": "pyright",
	"python-traced": "calls traced while test suites ran", "ruby": "calls traced while test suites ran",
	"rust":  "rust-analyzer",
	"scala": "scalac", "typescript": "the TypeScript compiler",
}

// Document returns the text of docs/accuracy.md. Each element of uses holds the figures about one kind
// of use.
func Document(goldens []Golden, uses ...[]Uses) string {
	var b strings.Builder
	b.WriteString(documentHead)
	goldens = slices.Clone(goldens)
	slices.SortStableFunc(goldens, func(x, y Golden) int { return cmp.Compare(x.worst(), y.worst()) })
	summary(&b, goldens)
	for i := range goldens {
		language(&b, &goldens[i])
	}
	for _, of := range uses {
		useTable(&b, of)
	}
	return b.String()
}

// Brief returns the table for README.md, a line per language.
func Brief(goldens []Golden) string {
	var b strings.Builder
	b.WriteString(
		"| language | judged by | call sites | precision: dev, held | recall: dev, held |\n|---|---|---:|---|---|\n")
	for i := range goldens {
		g := &goldens[i]
		dev, held := g.Splits[SplitDev], g.Splits[SplitHeld]
		fmt.Fprintf(&b, "| %s | %s | %d | %s, %s | %s, %s |\n", g.Language, cmp.Or(engines[g.Language], "hand"),
			sites(&dev)+sites(&held),
			dev.Precision.short(), held.Precision.short(), dev.RecallStatic.short(), held.RecallStatic.short())
	}
	return b.String()
}

// short returns the share with three digits, rounded down, so that 0.9996 is
// not printed as 1.
func (f Figure) short() string {
	if f.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", math.Floor(f.Value*1000)/1000)
}

// worst returns the recall of the split in which it is lowest, over static and interface calls
// together.
func (g *Golden) worst() float64 {
	low := 1.0
	for _, f := range g.Splits {
		low = min(low, f.Recall.Value)
	}
	return low
}

// summary writes the table of all languages, a line per split.
func summary(out *strings.Builder, goldens []Golden) {
	out.WriteString("| language | split | repositories | sites | precision ≥ 0.9 | precision, all shown | recall, " +
		"static | recall, interface | external, precision | external, recall |\n")
	out.WriteString("|---|---|---:|---:|---|---|---|---|---|---|\n")
	for _, g := range goldens {
		for _, split := range []Split{SplitDev, SplitHeld} {
			f, found := g.Splits[split]
			if !found {
				continue
			}
			n := 0
			for _, m := range g.Repositories {
				if m.Split == split {
					n++
				}
			}
			fmt.Fprintf(out, "| %s | %s | %d | %d | %s | %s | %s | %s | %s | %s |\n", g.Language, split, n, sites(&f),
				f.Precision, f.PrecisionShown, f.RecallStatic, f.RecallInterface, f.ExternalPrecision(), f.External)
		}
	}
}

// sites returns the number of judged sites of all classes.
func sites(f *Figures) (n int) {
	for _, c := range f.Sites {
		n += c
	}
	return n
}

// String returns the share with its bounds, "–" if it is empty.
func (f Figure) String() string {
	if f.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.4f (%.4f–%.4f)", f.Value, f.Low, f.High)
}

// language writes the section of one language.
func language(b *strings.Builder, g *Golden) {
	fmt.Fprintf(b, "\n## %s\n\nJudged by %s.\n\n", g.Language, cmp.Or(engines[g.Language], "hand"))
	b.WriteString("| repository | commit | split | static | interface | precision ≥ 0.9 | all shown | recall, " +
		"static | recall, interface | external, precision | external, recall |\n")
	b.WriteString("|---|---|---|---:|---:|---|---|---|---|---|---|\n")
	for _, m := range g.Repositories {
		f := m.Figures
		fmt.Fprintf(b, "| %s | %.10s | %s | %d | %d | %s | %s | %s | %s | %s | %s |\n", m.Repo, m.Commit, m.Split,
			f.Sites[ClassStatic], f.Sites[ClassInterface], f.Precision, f.PrecisionShown, f.RecallStatic,
			f.RecallInterface, f.ExternalPrecision(), f.External)
	}
	for _, split := range []Split{SplitDev, SplitHeld} {
		if f, found := g.Splits[split]; found {
			fmt.Fprintf(b, "\nBy strategy, %s:\n\n%s", split, StrategyTable(&f))
		}
	}
}

// StrategyTable returns a table with the precision of each strategy.
func StrategyTable(f *Figures) string {
	var b strings.Builder
	b.WriteString("| strategy | edges | precision | stated | |\n|---|---:|---|---:|---|\n")
	for _, name := range slices.Sorted(maps.Keys(f.Strategies)) {
		s := f.Strategies[name]
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", name, s.N, s.Figure, code.ShownConfidence(s.Stated), s.note())
	}
	return b.String()
}

// note returns a remark if the measured precision does not support the stated
// confidence; "" if it does.
func (s *StrategyFigure) note() string {
	switch {
	case s.N < MinCalibrated && s.Stated <= UncalibratedCap+calibrationSlack:
		return "too few, capped"
	case s.N < MinCalibrated:
		return "few in this split"
	case !s.Calibrated:
		return "outside of the bounds of this split"
	}
	return ""
}
