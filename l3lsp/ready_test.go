package l3lsp

import "testing"

// TestWhatTellsThatFoldersAreRead checks which messages mean that a server is still reading its folders. Any
// progress notification does, unless the spec names the progress or the log message that counts: the other
// servers' notifications may be about a single open file.
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
