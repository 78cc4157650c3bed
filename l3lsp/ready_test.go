package l3lsp

import "testing"

// Progress notifications show that a server is reading its folders only if it
// has no other way: a server whose log shows it reports work on a single text
// alike.
func TestWhatTellsThatFoldersAreRead(t *testing.T) {
	for _, c := range []struct {
		name     string
		spec     Spec
		log      string
		progress string
		settled  bool
	}{
		{"nothing said, any progress", Spec{}, "", "Working", false},
		{"the progress that tells", Spec{quick: true, loading: []string{"Loading"}}, "", "Loading a", false},
		{"another progress", Spec{quick: true, loading: []string{"Loading"}}, "", "Searching", true},
		{"a log that tells", Spec{loadedLogs: []string{"Found "}}, "Found 3 source files", "3 files to analyze", true},
		{"no such log yet", Spec{loadedLogs: []string{"Found "}}, "Searching", "", false},
	} {
		r := newReadiness(&c.spec)
		r.logged(c.log)
		if c.progress != "" {
			r.progressed("1", "begin", c.progress)
		}
		if got := r.settled(); got != c.settled {
			t.Errorf("%s: %t", c.name, got)
		}
		if r.progressed("1", "end", ""); c.progress != "" && !r.settled() {
			t.Errorf("%s: not when it has ended", c.name)
		}
	}
}
