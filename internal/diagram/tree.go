package diagram

import (
	"strings"

	"sextant/internal/code"
	"sextant/internal/typeset"
)

// Tree is a graph unfolded from its roots. A symbol that is reached in several ways is unfolded at
// one branch; the other branches refer to it by Branch.Turn.
type Tree struct {
	Sides []Side
	Note  string // one line that says why the tree was cut; "" if it is complete
}

// Side is the tree of the callers of Root, or of its callees.
type Side struct {
	Title   string // text before the name of Root: "callers of "
	Root    Branch
	Legend  string // text after the place of Root
	Forests []Forest
}

// Forest is a list of branches below a title line.
type Forest struct {
	Title string // "" for none
	Tops  []Branch
	Notes []string // lines below that say which branches are omitted
}

// Branch is a symbol in a tree.
type Branch struct {
	Name  string
	Place string   // FILE:LINE, or a folder; "" for none
	Edge  string   // evidence for the edge to this symbol; "" for a root
	Turn  string   // reference to the branch at which the symbol is unfolded; "" if that is this branch
	Ends  []Reason // why more symbols may be below it
	Below []Branch
}

// Reason says why more symbols may be below a symbol than a tree shows.
type Reason struct {
	Kind ReasonKind
	Text string
}

// ReasonKind distinguishes reasons that apply to the whole tree from those of a symbol.
type ReasonKind uint8

// These constants are the kinds of reason.
const (
	OfSymbol  ReasonKind = iota
	TooDeep              // the requested depth ends here
	StoppedAt            // the walk stopped here
)

// Text returns the tree as plain text, one line for each symbol, without a final line break. Each
// line gives the symbol's place, the evidence for its edge, and why nothing more is below it.
func (t *Tree) Text() string {
	w := &treeWriter{shown: func(file string) string { return file }, ends: func(list []Reason) string {
		var texts []string
		for _, r := range list {
			texts = append(texts, r.Text)
		}
		return joinReasons(texts)
	}}
	w.tree(t)
	if t.Note != "" {
		w.line(typeset.Part{Text: t.Note})
	}
	var b strings.Builder
	for _, l := range w.lines {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// Terminal returns the tree as lines for a terminal. shown returns the path to print for a file.
// The lines omit the tree's note and the reasons that apply to the whole tree; deeper reports
// whether the depth limit cut the tree.
func (t *Tree) Terminal(shown func(file string) string) (lines []typeset.Line, deeper bool) {
	w := &treeWriter{shown: shown, ends: func(list []Reason) string {
		var texts []string
		stopped := false
		for _, r := range list {
			switch r.Kind {
			case TooDeep:
				deeper = true
			case StoppedAt:
				stopped = true
			default:
				texts = append(texts, r.Text)
			}
		}
		if stopped && len(texts) == 0 {
			return "  …"
		}
		return joinReasons(texts)
	}}
	w.tree(t)
	return w.lines, deeper
}

// joinReasons returns reasons as the end of a line, "  … 2 external, depth 2", or "" if there are
// none.
func joinReasons(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "  … " + strings.Join(texts, ", ")
}

// treeWriter collects the lines of a tree. shown returns the path to print for a file, and ends the
// text for the reasons why more may be below a symbol.
type treeWriter struct {
	lines []typeset.Line
	shown func(file string) string
	ends  func([]Reason) string
}

func (w *treeWriter) line(parts ...typeset.Part) { w.lines = append(w.lines, parts) }

func (w *treeWriter) tree(t *Tree) {
	for i := range t.Sides {
		if i > 0 {
			w.line()
		}
		s := &t.Sides[i]
		w.symbol(s.Title, &s.Root, s.Legend)
		w.below("", s.Root.Below)
		for j := range s.Forests {
			w.forest(&s.Forests[j])
		}
	}
}

func (w *treeWriter) forest(f *Forest) {
	if f.Title != "" {
		w.line(typeset.Part{Text: f.Title})
	}
	for i := range f.Tops {
		w.symbol("", &f.Tops[i], "")
		w.below("", f.Tops[i].Below)
	}
	for _, note := range f.Notes {
		w.line(typeset.Part{Text: note})
	}
}

// below writes the branches in list, each after indent and a line of the tree such as "├─ ", and
// the branches below them.
func (w *treeWriter) below(indent string, list []Branch) {
	for i := range list {
		elbow, deeper := "├─ ", "│  "
		if i == len(list)-1 {
			elbow, deeper = "└─ ", "   "
		}
		w.symbol(indent+elbow, &list[i], "  "+list[i].Edge)
		w.below(indent+deeper, list[i].Below)
	}
}

// symbol writes the line of b, between the texts lead and rest. It colours the name only if the
// place of the symbol has a line number.
func (w *treeWriter) symbol(lead string, b *Branch, rest string) {
	if b.Turn != "" {
		rest += "  " + b.Turn
	} else {
		rest += w.ends(b.Ends)
	}
	parts := []typeset.Part{{Role: typeset.Dim, Text: lead}, {Role: typeset.Name, Text: code.QuotePath(b.Name)}}
	switch file, line := cutLine(b.Place); {
	case b.Place == "":
		parts[1].Role = typeset.Plain
	case line == "":
		parts[1].Role = typeset.Plain
		parts = append(parts, typeset.Part{Text: "  "}, typeset.Part{Role: typeset.Path, Text: code.QuotePath(file)})
	default:
		parts = append(parts, typeset.Part{Text: "  "},
			typeset.Part{Role: typeset.Path, Text: code.QuotePath(w.shown(file))},
			typeset.Part{Role: typeset.Lines, Text: line})
	}
	w.line(append(parts, typeset.Part{Role: typeset.Dim, Text: rest})...)
}

// cutLine splits "a.go:12" into "a.go" and ":12". line is "" if place has no line number.
func cutLine(place string) (file, line string) {
	i := strings.LastIndexByte(place, ':')
	if i > 0 && i+1 < len(place) && strings.Trim(place[i+1:], "0123456789") == "" {
		return place[:i], place[i:]
	}
	return place, ""
}
