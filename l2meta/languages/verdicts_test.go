package languages_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sextant/l2meta/resolve"
)

// The marks of a decoy say what a rule is for. Its golden beside it (TRAP.txtar.golden) keeps the rest: the
// verdict on every call, with the rung, and what runs in the place of the target.

// verdicts returns the verdict on every call of a decoy, a line each, by file and in document order.
func (d *decoy) verdicts(t *testing.T, r *resolve.Resolver) string {
	t.Helper()
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(d.files)) {
		f := r.World().File(path)
		if f == nil {
			continue
		}
		list, err := r.Sites(f.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if s := &list[i]; s.Outcome != resolve.NoCall {
				fmt.Fprintf(&b, "%s:%d:%d %s %s\n", path, s.Call.NameSpan.StartLine, s.Call.NameSpan.StartColumn, s.Call.Callee,
					verdictText(t, r, s))
			}
		}
	}
	return b.String()
}

// verdictText returns the verdict on a call: "same_file a.go:3 A.run directly", or "external lib".
func verdictText(t *testing.T, r *resolve.Resolver, s *resolve.Site) string {
	t.Helper()
	switch s.Outcome {
	case resolve.Open:
		return "open"
	case resolve.FuncValue:
		return "value"
	case resolve.External:
		if s.Undeclared {
			return "undeclared"
		}
		return strings.TrimSpace("external " + s.Module)
	}
	out := fmt.Sprintf("%s %s", s.Strategy, placeOf(s.Target))
	if s.Direct {
		out += " directly"
	}
	if s.Receiver.Valid() {
		out += " on " + s.Receiver.Symbol().QualifiedName
	}
	runs, err := r.Dispatched(s)
	if err != nil {
		t.Fatal(err)
	}
	var may []string
	for _, run := range runs {
		may = append(may, placeOf(run.Target))
	}
	if slices.Sort(may); len(may) > 0 {
		out += " runs " + strings.Join(may, ", ")
	}
	return out
}

func placeOf(r resolve.Ref) string {
	return fmt.Sprintf("%s:%d %s", r.File.Path, r.Symbol().NameSpan.StartLine, r.Symbol().QualifiedName)
}
