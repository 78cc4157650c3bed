package contract

import (
	"cmp"
	"fmt"
	"strings"
)

// ListAnswer is the answer of list_codebases; [ListAnswer.Markdown] is its form on the wire. The
// roots of each section are sorted by path.
type ListAnswer struct {
	Ready           List[ReadyRoot]    `json:"ready"`
	Indexing        List[IndexingRoot] `json:"indexing"`
	RequiresReindex List[StoppedRoot]  `json:"requiresReindex"`
	Failed          List[StoppedRoot]  `json:"failed"`
	Owner           RuntimeOwner       `json:"owner"`
}

// ReadyRoot is a root that can be searched.
type ReadyRoot struct {
	Path          string        `json:"path"`
	SymbolQuality string        `json:"symbolQuality"` // as SymbolQuality of ManageAnswer
	Files         int           `json:"files"`
	Symbols       int           `json:"symbols"`
	LastSync      string        `json:"lastSync"` // RFC 3339, UTC
	Services      []RootService `json:"services,omitempty"`
}

// RootService is a service of a workspace root, or a library or test suite beside the services.
type RootService struct {
	Name      string   `json:"name"`
	Path      string   `json:"path"`           // relative to the root, "" for the root itself
	Kind      string   `json:"kind,omitempty"` // application, frontend, infrastructure, loadgen, library, test
	Language  string   `json:"language,omitempty"`
	Languages []string `json:"languages,omitempty"` // most files first; empty if there is only one
	Names     []string `json:"names,omitempty"`     // other names, and addresses such as localhost:8080
}

// IndexingRoot is a root whose first index is being built.
type IndexingRoot struct {
	Path    string  `json:"path"`
	Percent float64 `json:"percent"` // 0 to 100
}

// StoppedRoot is a root that answers only after another call, such as a reindex.
type StoppedRoot struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// RuntimeOwner identifies the process that answers.
type RuntimeOwner struct {
	PID     int    `json:"pid"`
	Version string `json:"version"`
}

// Paths returns the paths of all tracked roots.
func (a ListAnswer) Paths() (list []string) {
	for _, r := range a.Ready {
		list = append(list, r.Path)
	}
	for _, r := range a.Indexing {
		list = append(list, r.Path)
	}
	for _, r := range append(append([]StoppedRoot(nil), a.RequiresReindex...), a.Failed...) {
		list = append(list, r.Path)
	}
	return list
}

// Total returns the number of tracked roots.
func (a ListAnswer) Total() int {
	return len(a.Ready) + len(a.Indexing) + len(a.RequiresReindex) + len(a.Failed)
}

// Markdown returns the answer in its wire format, without a final newline.
func (a ListAnswer) Markdown() string {
	if a.Total() == 0 {
		return "No codebases are currently tracked.\n\n" +
			`To track one: manage_index {"action":"create","path":"/absolute/path/to/codebase"}`
	}
	var b strings.Builder
	b.WriteString("## Codebases\n")
	if len(a.Ready) > 0 {
		b.WriteString("\n### Ready\n")
		for _, r := range a.Ready {
			fmt.Fprintf(&b, "- `%s` symbolQuality=%s files=%d symbols=%d services=%d lastSync=%s\n",
				r.Path, r.SymbolQuality, r.Files, r.Symbols, len(r.Services), r.LastSync)
			for _, s := range r.Services {
				b.WriteString(strings.TrimRight(fmt.Sprintf("  - %s `%s` %s", s.Name, cmp.Or(s.Path, "."), s.Language),
					" ") + "\n")
			}
		}
	}
	if len(a.Indexing) > 0 {
		b.WriteString("\n### Indexing\n")
		for _, r := range a.Indexing {
			fmt.Fprintf(&b, "- `%s` (%.1f%%)\n", r.Path, r.Percent)
		}
	}
	stopped(&b, "Requires Reindex", a.RequiresReindex)
	stopped(&b, "Failed", a.Failed)
	fmt.Fprintf(&b, "\nTotal tracked: %d\nRuntime owners: 1 live (pid=%d sextant@%s).", a.Total(),
		a.Owner.PID, a.Owner.Version)
	return b.String()
}

func stopped(b *strings.Builder, title string, roots []StoppedRoot) {
	if len(roots) == 0 {
		return
	}
	b.WriteString("\n### " + title + "\n")
	for _, r := range roots {
		fmt.Fprintf(b, "- `%s` (%s)\n", r.Path, r.Reason)
	}
}

// Add appends the roots of b.
func (a *ListAnswer) Add(b ListAnswer) {
	a.Ready = append(a.Ready, b.Ready...)
	a.Indexing = append(a.Indexing, b.Indexing...)
	a.RequiresReindex = append(a.RequiresReindex, b.RequiresReindex...)
	a.Failed = append(a.Failed, b.Failed...)
}
