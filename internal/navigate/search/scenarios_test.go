package search_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sextant/internal/golden"
	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/internal/navigate/search"
	"sextant/internal/navigate/search/rank"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// TestScenarios asks the requests of testdata/scenarios/*.txtar, one on each line of the file "requests", of
// the workspace in the other files, with the built-in embedder, and compares the answers with the file
// "answers". A line of requests that begins with "#" says which rule those below it are for. Scores are left
// out, since each fit of the weights changes them; the features of every candidate follow each answer.
func TestScenarios(t *testing.T) {
	golden.Each(t, "testdata/scenarios/*.txtar", func(t *testing.T, a *golden.Archive) {
		files := map[string]string{}
		for _, f := range a.Files {
			files[f.Name] = string(f.Data)
		}
		requests := files["requests"]
		delete(files, "requests")
		delete(files, "answers")
		a.Answer(t, "answers", answersTo(t, files, requests))
	})
}

// answersTo returns the answers to requests, one on each line.
func answersTo(t *testing.T, files map[string]string, requests string) string {
	var b strings.Builder
	var seen []string
	observer := func(q rank.Query, found []search.Observed) {
		seen = []string{fmt.Sprintf("  query kind=%d short=%t prose=%t", q.Kind, q.Short, q.Prose)}
		for _, o := range found {
			seen = append(seen, "  "+features(&o))
		}
		slices.Sort(seen[1:])
	}
	bench := navigatetest.Of(t, files).With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()},
		Observer: observer})
	for line := range strings.Lines(requests) {
		if strings.HasPrefix(line, "#") {
			b.WriteString(line)
			continue
		}
		var r contract.SearchRequest
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		seen = nil
		b.WriteString(line)
		writeAnswer(&b, bench.Search(r))
		for _, s := range seen {
			if r.DebugMode == contract.DebugRanking {
				fmt.Fprintln(&b, s)
			}
		}
	}
	return strings.ReplaceAll(b.String(), bench.Dir, "$WORK")
}

// features returns the place of a candidate and those of its features that are not 0.
func features(o *search.Observed) string {
	out := fmt.Sprintf("candidate %s:%d %s", o.File, o.Line, o.Label)
	v := reflect.ValueOf(o.Features)
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.IsZero() || f.Kind() == reflect.Pointer:
		case f.Kind() == reflect.Float64:
			out += fmt.Sprintf(" %s=%.2f", v.Type().Field(i).Name, f.Float())
		default:
			out += fmt.Sprintf(" %s=%v", v.Type().Field(i).Name, f.Interface())
		}
	}
	return out
}

// writeAnswer writes an answer without scores, times and hashes.
func writeAnswer(b *strings.Builder, a *contract.SearchAnswer) {
	fmt.Fprintf(b, "  status=%s scope=%s confidence=%s named=%d from=%d cursor=%s semantic=%s %s\n", a.Status, a.Scope,
		a.Confidence, a.Named, a.From, cursorOf(a.Cursor), a.Tiers.Semantic.State, a.Tiers.Semantic.Why)
	if m := a.Matches; m != nil {
		fmt.Fprintf(b, "  matches files=%d lines=%d complete=%t unread=%t outside=%s\n", m.Files, m.Lines, m.Complete,
			m.Unread, asJSON(m.OutOfScope))
	}
	if p := a.Pagination; p != nil {
		fmt.Fprintf(b, "  pagination %s\n", asJSON(p))
	}
	if c := a.Truncated; c != nil {
		fmt.Fprintf(b, "  truncated %s shown=%d omitted=%d %s next=%s\n", c.What, c.Shown, c.Omitted, c.Cause, called(c.Next))
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(b, "  warning %s %s: %s\n", w.Severity, w.Code, w.Message)
	}
	for _, n := range a.DidYouMean {
		fmt.Fprintf(b, "  near %s of %d %s at %s:%d, %d edits, next=%s\n", n.SymbolLabel, n.Symbols, n.Kind, n.File, n.Line,
			n.Edits, called(n.Next))
	}
	for _, o := range a.Beside {
		fmt.Fprintf(b, "  beside in %s %s omitted=%d\n", o.File, asJSON(o.Symbols), o.Omitted)
	}
	if h := a.Hints; h != nil {
		for i := range h.NextSteps {
			fmt.Fprintf(b, "  step %s: %s\n", called(&h.NextSteps[i]), h.NextSteps[i].Reason)
		}
		if n := h.NoiseMitigation; n != nil {
			fmt.Fprintf(b, "  noise %s %v next=%s\n", n.Reason, n.Top, called(n.Action))
		}
	}
	for _, x := range a.Index {
		fmt.Fprintf(b, "  index %d %s %s\n", x.Rank, x.File, x.Label)
	}
	if n := a.RecommendedNextAction; n != nil {
		fmt.Fprintf(b, "  recommended %s of result %d: %s\n", n.Tool, *n.ResultIndex, n.Reason)
	}
	for i, r := range a.Results {
		fmt.Fprintf(b, "  %d %s\n", i+1, resultText(r))
	}
}

// resultText returns the fields of a result but scores, times and hashes.
func resultText(r contract.SearchResult) string {
	file, span := r.Place()
	out := fmt.Sprintf("%s:%s", file, lines(&span))
	var matched, near []contract.MatchedLine
	switch r := r.(type) {
	case *contract.Chunk:
		out += fmt.Sprintf(" chunk %s %s %s %q by=%q", r.Class, r.SymbolKind, r.SymbolLabel, r.Content, r.MatchedBy)
		matched, near = r.MatchedLines, r.ContextLines
	case *contract.Group:
		out += fmt.Sprintf(" %s %s %s by=%q confidence=%s chunks=%d service=%q", r.Class, r.SymbolKind, r.SymbolLabel,
			r.MatchedBy, r.Confidence, r.CollapsedChunkCount, r.Service)
		out += fmt.Sprintf(" symbol=%s shows=%s", lines(r.SymbolSpan), lines(r.PreviewSpan))
		for i := range r.Overloads {
			out += " overload=" + lines(&r.Overloads[i])
		}
		out += fmt.Sprintf(" key=%t instance=%t navigation=%s", r.SymbolKey != "", r.SymbolInstanceID != "",
			navigationOf(r.Navigation))
		matched, near = r.MatchedLines, r.ContextLines
	}
	for _, m := range matched {
		out += fmt.Sprintf("\n    match %d:%d %s", m.Line, m.Column, m.Text)
	}
	for _, m := range near {
		out += fmt.Sprintf("\n    near %d %s", m.Line, m.Text)
	}
	return out
}

// navigationOf returns which calls a result suggests.
func navigationOf(n *contract.Navigation) string {
	if n == nil {
		return "none"
	}
	out := fmt.Sprintf("fallback=%t fallbacks=%d recovery=%s", n.NavigationFallback != nil, len(n.Fallbacks),
		called(n.InboundRecovery))
	if c := n.NextActions; c != nil {
		out += fmt.Sprintf(" open=%t outline=%t graph=%t callers=%t callees=%t", c.OpenSymbol != nil,
			c.OutlineWindow != nil, c.CallGraph != nil, c.TraceCallers != nil, c.TraceCallees != nil)
	}
	return out
}

// called returns the tool and the arguments of a suggested call, "-" for nil.
func called(a *contract.Action) string {
	if a == nil {
		return "-"
	}
	if r, ok := a.Args.(*contract.SearchRequest); ok {
		same := *r
		same.Cursor = cursorOf(same.Cursor)
		return a.Tool + asJSON(&same)
	}
	return a.Tool + asJSON(a.Args)
}

// cursorOf returns a cursor without the generation of the index.
func cursorOf(cursor string) string {
	at, _, _ := strings.Cut(cursor, "@")
	return at
}

func lines(span *contract.LineSpan) string {
	if span == nil {
		return "-"
	}
	return fmt.Sprintf("%d-%d", span.StartLine, span.EndLine)
}

func asJSON(x any) string {
	text, err := json.Marshal(x)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
