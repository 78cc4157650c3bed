package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sextant/jit"
)

// TestPasses checks that an answer is abandoned if one file keeps changing, and if different files
// do so for too long.
func TestPasses(t *testing.T) {
	one := NewPasses()
	for i := range MaxPasses {
		if again := one.Again(jit.Report{Modified: []string{"a.go"}}); again != (i < MaxPasses-1) {
			t.Errorf("pass %d of one file that changes: again is %v", i, again)
		}
	}
	if text := one.KeepsMoving("this answer").Message; !strings.Contains(text, "a.go (modified)") {
		t.Errorf("the message %q does not name the file", text)
	}
	bulk := NewPasses()
	for i := range 10 * MaxPasses {
		if !bulk.Again(jit.Report{Added: []string{fmt.Sprintf("%d.go", i)}}) {
			t.Fatalf("pass %d of files that change once each is the last", i)
		}
	}
	bulk.began = time.Now().Add(-passesTime)
	if bulk.Again(jit.Report{Removed: []string{"z.go"}}) {
		t.Error("the passes go on after their time")
	}
}
