package manifest

import "testing"

func TestMajor(t *testing.T) {
	leaves := map[string]string{"/dependencies/proxy": "^3.0.5", "/devDependencies/@scope~1tool": "~12",
		"/dependencies/own": "workspace:*", "/dependencies/late": ">=2.1"}
	leaf := func(pointer string) string { return leaves[pointer] }
	for library, want := range map[string]int{"proxy": 3, "@scope/tool": 12, "late": 2, "own": 0, "missing": 0} {
		if got, ok := Major(leaf, library); got != want || ok != (want > 0) {
			t.Errorf("%s: %d, %v, want %d", library, got, ok, want)
		}
	}
}
