package compact

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// maxServices is the largest number of services listed for a root.
const maxServices = 12

// list writes a line for each tracked root, with its state.
func (w *writer) list(a contract.ListAnswer) {
	if a.Total() == 0 {
		w.line("no codebase is tracked; the first question about a folder indexes it, or")
		w.line(`try: manage_index {"action":"create","path":"/absolute/path"}`)
	}
	for _, r := range a.Ready {
		w.line("%s (ready, %s, %s%s)", code.QuotePath(r.Path), count(r.Files, "file"), count(r.Symbols, "symbol"),
			services(r.Services))
	}
	for _, r := range a.Indexing {
		w.line("%s (indexing, %.0f %%)", code.QuotePath(r.Path), r.Percent)
	}
	for _, r := range a.RequiresReindex {
		w.line("%s (requires reindex: %s)", code.QuotePath(r.Path), r.Reason)
	}
	for _, r := range a.Failed {
		w.line("%s (failed: %s)", code.QuotePath(r.Path), r.Reason)
	}
}

// services returns the number and the names of the services of a root, and the numbers of libraries
// and tests.
func services(list []contract.RootService) string {
	var names []string
	all, libraries, tests := 0, 0, 0
	for _, s := range list {
		switch s.Kind {
		case "library":
			libraries++
			continue
		case "test":
			tests++
			continue
		}
		if all++; all <= maxServices {
			names = append(names, strings.TrimSpace(s.Name+" "+s.Language))
		}
	}
	out := ""
	if all > maxServices {
		names = append(names, "…")
	}
	if all > 0 {
		out = fmt.Sprintf(", %s: %s", count(all, "service"), strings.Join(names, ", "))
	}
	if libraries > 0 {
		out += fmt.Sprintf(", %d %s", libraries, map[bool]string{true: "library", false: "libraries"}[libraries == 1])
	}
	if tests > 0 {
		out += ", " + count(tests, "project") + " of tests"
	}
	return out
}

// manage writes the answer of manage_index: its message, the progress, the coverage, services and
// languages.
func (w *writer) manage(a *contract.ManageAnswer) {
	if a.Status == contract.StatusOK {
		w.line("%s", cmp.Or(a.Message, a.HumanText))
	} else {
		w.outcome(a.Outcome)
	}
	if p := a.Progress; p != nil && p.FilesTotal > 0 && p.FilesDone < p.FilesTotal {
		w.line("%s: %s of %s", p.Phase, grouped(p.FilesDone), count(p.FilesTotal, "file"))
	}
	if s := a.SyncStats; s != nil {
		w.line("synced: %d added, %d modified, %d removed", s.Added, s.Modified, s.Removed)
	}
	w.coverage(a)
	for _, s := range a.Services {
		w.line("service %s %s %s, %s", s.Name, code.QuotePath(cmp.Or(s.Path, ".")), s.Language, count(s.Files, "file"))
	}
	for _, l := range a.LanguageCapability {
		depth := "text"
		if l.Symbols {
			depth = "symbols"
		}
		if l.CallGraph {
			depth = "calls"
		}
		if l.Server != "" {
			depth += ", " + l.Server
		}
		w.line("language %s: %s, %s", l.Language, count(l.Files, "file"), depth)
	}
	w.warnings(a.Warnings)
	if a.Status != contract.StatusOK {
		w.hints(a.Hints)
	}
}

// coverage writes how much is indexed (symbols, files, calls, vectors), and the number of files
// that are not indexed, with the reasons.
func (w *writer) coverage(a *contract.ManageAnswer) {
	if t := a.Tiers; t != nil {
		w.line("%s in %s, %s, %s", count(t.L2.Symbols, "symbol"), count(t.L1.Files, "file"), count(t.L2.Calls, "call"),
			cond(t.L1.Embedder == "off", "no vectors", count(t.L1.Vectors, "vector")))
		for _, s := range t.L3.Servers {
			w.line("server %s (%s): %s %s", s.Server, s.Language, s.State, s.Detail)
		}
	}
	c := a.Coverage
	if c == nil {
		return
	}
	if c.ParseErrors > 0 {
		w.line("%s with parse errors", count(c.ParseErrors, "file"))
	}
	for _, reason := range slices.Sorted(maps.Keys(c.Skipped)) {
		w.line("skipped %s: %s", count(c.Skipped[reason], "file"), reason)
	}
	for _, dir := range c.Apart {
		w.line("not part of it: %s, a repository of its own", code.QuotePath(dir))
	}
	if a.Disk != nil {
		w.line("index: %.1f MB", float64(a.Disk.Bytes)/1e6)
	}
}

func cond(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}
