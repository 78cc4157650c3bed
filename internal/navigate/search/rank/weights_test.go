package rank

import (
	"strings"
	"testing"
)

// TestReadWantsEveryFactor checks that a model without one of the shared factors is refused: read
// as 0, a factor would take away every score.
func TestReadWantsEveryFactor(t *testing.T) {
	if _, err := Read(weightsText); err != nil {
		t.Fatal(err)
	}
	const showing = `"showing": 0.8,`
	short := strings.Replace(string(weightsText), showing, "", 1)
	if short == string(weightsText) {
		t.Fatalf("weights.json has no %s", showing)
	}
	if _, err := Read([]byte(short)); err == nil || !strings.Contains(err.Error(), "no factor showing") {
		t.Errorf("without showing: %v", err)
	}
}
