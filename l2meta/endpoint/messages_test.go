package endpoint_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unreadMessages lists the workspaces of testdata/messages that are not supported yet.
const unreadMessages = `
csharp-wolverine
`

// TestMessages compares the crossings of one small workspace per broker and library with those in
// their comments. Workspaces whose names start with "held-" were not read when the rules were
// written.
func TestMessages(t *testing.T) {
	known := strings.Fields(unreadMessages)
	for _, file := range archives(t, "testdata/messages/*.txtar") {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := judgeFixture(t, file)
			if slices.Contains(known, name) {
				if len(wrong) == 0 {
					t.Error("it is read now: remove it from the list")
				}
				return
			}
			for _, w := range wrong {
				t.Error(w)
			}
		})
	}
}
