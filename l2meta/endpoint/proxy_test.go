package endpoint_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestProxies compares the edges of small workspaces, one for each proxy or gateway, with those in
// the comment of the archive. The rules were written without knowledge of the workspaces whose
// names start with "held-".
func TestProxies(t *testing.T) {
	for _, file := range archives(t, "testdata/proxies/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for _, wrong := range judgeFixture(t, file) {
				t.Error(wrong)
			}
		})
	}
}
