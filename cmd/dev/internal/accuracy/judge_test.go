package accuracy

import (
	"math"
	"strings"
	"testing"
)

const smallTruth = `{"file":"a.go","line":3,"column":2,"name":"F","class":"static","targets":[{"file":"b.go","line":1}]}
{"file":"a.go","line":4,"column":2,"name":"G","class":"static","targets":[{"file":"b.go","line":5},{"file":"c.go","line":5}]}
{"file":"a.go","line":5,"column":4,"name":"M","class":"interface","targets":[{"file":"b.go","line":9}]}
{"file":"a.go","line":6,"column":4,"name":"Println","class":"external","module":"fmt"}
{"file":"a.go","line":7,"column":2,"name":"f","class":"value"}
{"file":"a.go","line":8,"column":2,"name":"q","class":"unknown"}
{"file":"a.go","line":9,"column":2,"name":"V","class":"static","targets":[{"file":"vendor/v.go","line":1}]}
{"file":"a.go","line":10,"column":2,"name":"H","class":"static","targets":[{"file":"b.go","line":20}]}
`

func smallSites(t *testing.T) []Truth {
	t.Helper()
	truth, err := ReadTruth(strings.NewReader(smallTruth))
	if err != nil {
		t.Fatal(err)
	}
	return NewSites(truth).Of("a.go")
}

func edge(line, column int, file string, to int, confidence float64, strategy string) Answer {
	return Answer{Line: line, Column: column, Outcome: OutcomeSettled, Target: Place{file, to},
		Confidence: confidence, Strategy: strategy}
}

func judged(t *testing.T, answers ...Answer) *Score {
	t.Helper()
	verdicts, unjudged := Judge("a.go", smallSites(t), answers,
		func(file string) bool { return !strings.HasPrefix(file, "vendor/") })
	s := NewScore()
	for i := range verdicts {
		s.Add(&verdicts[i])
	}
	s.Unjudged = unjudged
	return s
}

func TestJudge(t *testing.T) {
	s := judged(t,
		edge(3, 2, "b.go", 1, 0.99, "one"),   // right
		edge(4, 2, "c.go", 5, 0.5, "two"),    // right, shown only
		edge(5, 4, "b.go", 10, 0.95, "one"),  // wrong line
		edge(7, 2, "b.go", 1, 0.9, "one"),    // a value: wrong
		edge(8, 2, "b.go", 1, 0.9, "one"),    // unknown: not judged
		edge(40, 2, "b.go", 1, 0.9, "one"),   // no truth: not judged
		edge(9, 2, "b.go", 1, 0.4, "hidden"), // not shown, and external
		Answer{Line: 6, Column: 4, Outcome: OutcomeExternal},
	)
	equal(t, "confident", s.Confident, Rate{3, 1})
	equal(t, "shown", s.Shown, Rate{4, 2})
	equal(t, "static recall", s.Recall[ClassStatic], Rate{3, 1})
	equal(t, "static recall, shown", s.RecallShown[ClassStatic], Rate{3, 2})
	equal(t, "interface recall", s.Recall[ClassInterface], Rate{1, 0})
	equal(t, "together", Together(s.Recall), Rate{4, 1})
	equal(t, "external", s.External, Rate{2, 1})
	equal(t, "strategy one", s.Strategies["one"].Rate, Rate{3, 1})
	equal(t, "strategy two", s.Strategies["two"].Rate, Rate{1, 1})
	equal(t, "unjudged", s.Unjudged, 2)
	equal(t, "absent", s.Absent, 1)
	if s.Strategies["hidden"] != nil {
		t.Error("an edge below what is shown was counted")
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestMergeAddsUp(t *testing.T) {
	one := judged(t, edge(3, 2, "b.go", 1, 0.99, "one"))
	both := NewScore()
	both.Merge(one)
	both.Merge(one)
	equal(t, "confident", both.Confident, Rate{2, 2})
	equal(t, "recall", both.Recall[ClassStatic], Rate{6, 2})
	equal(t, "stated", both.Strategies["one"].Stated, 1.98)
	equal(t, "absent", both.Absent, 2*one.Absent)
}

func TestBoundsAreWilsons(t *testing.T) {
	// Values of the interval as published: 0 of 10, 5 of 10, 81 of 263.
	for _, c := range []struct {
		r         Rate
		low, high float64
	}{{Rate{10, 0}, 0, 0.2775}, {Rate{10, 5}, 0.2366, 0.7634}, {Rate{263, 81}, 0.2553, 0.3662}, {Rate{}, 0, 1}} {
		low, high := c.r.Bounds()
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%v: got [%.4f, %.4f], want [%.4f, %.4f]", c.r, low, high, c.low, c.high)
		}
	}
}

func TestCalibration(t *testing.T) {
	for _, c := range []struct {
		n, hit int
		stated float64
		want   bool
	}{
		{1000, 995, 0.99, true}, {1000, 900, 0.99, false}, {1000, 999, 0.9, false},
		{20, 20, 0.7, true}, {20, 20, 0.99, false}, {100, 65, 0.6, true}, {100, 80, 0.6, false},
		{100, 80, 0.5, true}, {100, 30, 0.5, false}, {0, 0, 0, true},
	} {
		s := StrategyScore{Rate: Rate{c.n, c.hit}, Stated: c.stated * float64(c.n)}
		equal(t, s.Rate.String(), s.Calibrated(), c.want)
	}
}

func TestTruthOfSeveralBuildsIsMerged(t *testing.T) {
	site := Truth{File: "a.c", Line: 1, Column: 1, Name: "f"}
	unknown, here, there, value := site, site, site, site
	unknown.Class, value.Class = ClassUnknown, ClassValue
	here.Class, here.Targets = ClassStatic, []Place{{"h.c", 1}}
	there.Class, there.Targets = ClassStatic, []Place{{"t.c", 2}}
	var b strings.Builder
	if err := WriteTruth(&b, []Truth{unknown, here, there, here, value}); err != nil {
		t.Fatal(err)
	}
	equal(t, "merged", b.String(),
		`{"file":"a.c","line":1,"column":1,"name":"f","class":"static","targets":[{"file":"h.c","line":1},{"file":"t.c","line":2}]}`+"\n")
}

func TestTruthIsChecked(t *testing.T) {
	for _, line := range []string{
		`{"file":"a","line":1,"column":1,"name":"f","class":"static"}`,
		`{"file":"a","line":0,"column":1,"class":"value"}`,
		`{"file":"a","line":1,"column":1,"class":"virtual"}`, `{`,
	} {
		if _, err := ReadTruth(strings.NewReader(line)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: got %v, want an error that names the line", line, err)
		}
	}
}

// TestExternalPrecision checks what counts for the precision of "external": the
// answer is right for a callee outside the workspace, and wrong for one in the
// index. A call through a value has no callee and is not counted.
func TestExternalPrecision(t *testing.T) {
	outside := func(line, column int) Answer { return Answer{Line: line, Column: column, Outcome: OutcomeExternal} }
	s := judged(t, outside(3, 2), outside(5, 4), outside(6, 4), outside(7, 2), outside(9, 2))
	f := Publish(s)
	if got := f.ExternalPrecision(); got.N != 4 || got.Hit != 2 {
		t.Errorf("precision %d of %d, want 2 of 4", got.Hit, got.N)
	}
	equal(t, "recall", s.External, Rate{2, 2})
}
