package endpoint_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestProxies compares the crossings of small workspaces, one for each proxy or gateway, with those
// in their comments. Workspaces whose names start with "held-" were not read when the rules were
// written.
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
