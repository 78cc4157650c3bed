package diagram

import (
	"strings"
)

// Tree is a graph unfolded from its roots. A symbol that several ways lead to
// unfolds once; elsewhere its branch says where.
type Tree struct {
	Sides []Side
	Note  string // why the tree ends, one line; "" at its natural end
}

// Side is the callers of the roots, or their callees.
type Side struct {
	Title   string // before the name of Root: "callers of "
	Root    Branch
	Legend  string // behind its place
	Forests []Forest
}

// Forest is branches side by side below a line of their own.
type Forest struct {
	Title string // "" for none
	Tops  []Branch
	Notes []string // lines below: what is left out
}

// Branch is a symbol in a tree.
type Branch struct {
	Name  string
	Place string   // FILE:LINE, or a folder; "" for none
	Edge  string   // what the edge that leads here rests on; "" for a root
	Turn  string   // where it unfolds instead; "" where it unfolds here
	Ends  []Reason // why more may be below it than is drawn
	Below []Branch
}

// Reason is why more may be below a symbol than a tree shows.
type Reason struct {
	Kind ReasonKind
	Text string
}

// ReasonKind tells the reasons that hold for the whole tree from those of a symbol.
type ReasonKind uint8

// The kinds of reason.
const (
	OfSymbol  ReasonKind = iota
	TooDeep              // the depth that was asked for ends here
	StoppedAt            // the walk stopped here
)

// Text returns the tree as plain lines, one a symbol, without a line break at the
// end. Each names its place, what its edge rests on, and why nothing more is below.
func (t *Tree) Text() string {
	plain := func(s string) string { return s }
	w := &treeWriter{style: Style{plain, plain, plain}, ends: func(list []Reason) string {
		var texts []string
		for _, r := range list {
			texts = append(texts, r.Text)
		}
		return joinReasons(texts)
	}}
	w.tree(t)
	if t.Note != "" {
		w.line(t.Note)
	}
	return strings.TrimRight(w.out.String(), "\n")
}

// Style colours the parts of a line.
type Style struct{ Dim, Name, Path func(string) string }

// Terminal returns the tree as lines for a terminal. It leaves the note out, and the
// reasons that hold for the whole tree; deeper reports whether the depth was one.
func (t *Tree) Terminal(style Style) (text string, deeper bool) {
	w := &treeWriter{style: style, ends: func(list []Reason) string {
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
	return w.out.String(), deeper
}

func joinReasons(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "  … " + strings.Join(texts, ", ")
}

// treeWriter writes the lines of a tree.
type treeWriter struct {
	out   strings.Builder
	style Style
	ends  func([]Reason) string
}

func (w *treeWriter) line(parts ...string) {
	for _, p := range parts {
		w.out.WriteString(p)
	}
	w.out.WriteByte('\n')
}

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
		w.line(f.Title)
	}
	for i := range f.Tops {
		w.symbol("", &f.Tops[i], "")
		w.below("", f.Tops[i].Below)
	}
	for _, note := range f.Notes {
		w.line(note)
	}
}

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

// symbol writes the line of a symbol. One without a line in a file has no colours.
func (w *treeWriter) symbol(lead string, b *Branch, rest string) {
	if b.Turn != "" {
		rest += "  " + b.Turn
	} else {
		rest += w.ends(b.Ends)
	}
	switch {
	case b.Place == "":
		w.line(lead, b.Name, rest)
	case !hasLine(b.Place):
		w.line(lead, b.Name, "  ", b.Place, rest)
	default:
		w.line(w.style.Dim(lead), w.style.Name(b.Name), "  ", w.style.Path(b.Place), w.style.Dim(rest))
	}
}

// hasLine reports whether a place ends with the number of a line.
func hasLine(place string) bool {
	i := strings.LastIndexByte(place, ':')
	return i > 0 && i+1 < len(place) && strings.Trim(place[i+1:], "0123456789") == ""
}
