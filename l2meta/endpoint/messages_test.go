package endpoint_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMessages compares the edges of one small workspace per broker and library with those in the
// comment of the archive. The rules were written without knowledge of the workspaces whose names
// start with "held-".
func TestMessages(t *testing.T) {
	for _, file := range archives(t, "testdata/messages/*.txtar") {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, w := range judgeFixture(t, file) {
				t.Error(w)
			}
		})
	}
}
