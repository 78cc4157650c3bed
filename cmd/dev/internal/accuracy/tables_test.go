package accuracy

import (
	"path/filepath"
	"testing"

	"sextant/internal/golden"
)

// TestDocument compares docs/accuracy.md with the committed goldens.
func TestDocument(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", ".."))
	goldens, err := ReadGoldens()
	if err != nil || len(goldens) == 0 {
		t.Fatalf("%d goldens, %v", len(goldens), err)
	}
	uses, err := AllUses()
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join("docs", "accuracy.md"), Document(goldens, uses...))
}

// TestStrategyNote checks that the note distinguishes a strategy with too few
// edges from one that has enough in another split.
func TestStrategyNote(t *testing.T) {
	for _, c := range []struct {
		s    StrategyFigure
		want string
	}{
		{StrategyFigure{Figure: Figure{N: 28}, Stated: 0.7, Calibrated: true}, "too few, capped"},
		{StrategyFigure{Figure: Figure{N: 28}, Stated: 0.994}, "few in this split"},
		{StrategyFigure{Figure: Figure{N: 209}, Stated: 0.994}, "outside of the bounds of this split"},
		{StrategyFigure{Figure: Figure{N: 209}, Stated: 0.994, Calibrated: true}, ""},
	} {
		if got := c.s.note(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

// TestStrategyIn checks that edges in files of another language are counted
// separately, because they state that language's confidence.
func TestStrategyIn(t *testing.T) {
	if got := StrategyIn("same_type", "c", "c"); got != "same_type" || Foreign(got) {
		t.Errorf("within its language: %q", got)
	}
	if got := StrategyIn("same_type", "cpp", "c"); got != "same_type in cpp" || !Foreign(got) {
		t.Errorf("in a file of another: %q", got)
	}
	if got := StrategyIn("", "cpp", "c"); got != "" {
		t.Errorf("an open site has strategy %q", got)
	}
}
