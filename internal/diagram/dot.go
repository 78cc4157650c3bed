package diagram

import (
	"cmp"
	"fmt"
	"strings"
)

// DOT returns the graph in the DOT language, for Graphviz to lay out.
func DOT(g *Graph) string {
	var b strings.Builder
	b.WriteString("digraph calls {\n")
	fmt.Fprintf(&b,
		"  graph [rankdir=LR, nodesep=0.12, ranksep=0.6, fontname=\"Helvetica\", labelloc=t, label=<%s>];\n",
		legendTable(g))
	b.WriteString("  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11, " +
		"margin=\"0.10,0.05\", color=\"#64748b\"];\n")
	b.WriteString("  edge [arrowsize=0.7, fontname=\"Helvetica\", fontsize=9];\n")
	fill := g.fillOf()
	for i := range g.Nodes {
		n := &g.Nodes[i]
		label := dotEscape(n.Label)
		if n.Place != "" {
			label += `\n` + dotEscape(n.Place)
		}
		var more string
		switch {
		case n.ID == g.Root:
			more = `, penwidth=2.5, color="#0f172a"`
		case n.External:
			more = `, style="rounded,filled,dashed"`
		}
		fmt.Fprintf(&b, "  n%d [label=\"%s\", tooltip=\"%s\", fillcolor=\"%s\"%s];\n", i, label,
			dotEscape(n.Label), fill(n), more)
	}
	for _, a := range g.arrows() {
		colour, _ := a.evidence.stroke()
		fmt.Fprintf(&b, "  n%d -> n%d [color=\"%s\"", a.from, a.to, colour)
		if a.possible {
			b.WriteString(", style=dashed")
		} else if a.evidence == Lexical {
			b.WriteString(", style=dotted")
		}
		if text := strings.TrimSpace(a.label + times(a.count)); text != "" {
			fmt.Fprintf(&b, ", label=\"%s\"", dotEscape(text))
		}
		b.WriteString("];\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// dotEscape escapes text for a quoted string of DOT. It doubles each backslash, because Graphviz
// replaces sequences such as \N.
func dotEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ", "\x00",
		"").Replace(strings.ToValidUTF8(s, "\ufffd"))
}

// legendTable returns the title, the legend and the note as an HTML-like label.
func legendTable(g *Graph) string {
	var b strings.Builder
	b.WriteString(`<TABLE BORDER="0" CELLSPACING="2">`)
	fmt.Fprintf(&b, `<TR><TD ALIGN="LEFT"><B>%s</B></TD></TR>`, xmlEscape(g.Title))
	var keys []string
	for _, k := range legend(g) {
		keys = append(keys, fmt.Sprintf(`<FONT COLOR="%s">%s</FONT> %s`, k.colour, k.line(), xmlEscape(k.text)))
	}
	if len(keys) > 0 {
		fmt.Fprintf(&b, `<TR><TD ALIGN="LEFT"><FONT POINT-SIZE="10">%s</FONT></TD></TR>`,
			strings.Join(keys, " &#160; "))
	}
	if names := g.groups(); len(names) > 1 {
		b.WriteString(`<TR><TD ALIGN="LEFT"><TABLE BORDER="0" CELLSPACING="3"><TR>`)
		for i, name := range names[:min(len(names), len(fills))] {
			fmt.Fprintf(&b, `<TD BGCOLOR="%s"><FONT POINT-SIZE="10">%s</FONT></TD>`, fills[i], xmlEscape(name))
		}
		if more := len(names) - len(fills); more > 0 {
			fmt.Fprintf(&b, `<TD BGCOLOR="%s"><FONT POINT-SIZE="10">%d more</FONT></TD>`, plainFill, more)
		}
		b.WriteString(`</TR></TABLE></TD></TR>`)
	}
	if g.Note != "" {
		fmt.Fprintf(&b, `<TR><TD ALIGN="LEFT"><FONT POINT-SIZE="10">%s</FONT></TD></TR>`, xmlEscape(g.Note))
	}
	b.WriteString(`</TABLE>`)
	return b.String()
}

// key is an entry of the legend.
type key struct {
	colour string
	dash   string // dash pattern of the stroke, "" for none
	text   string
}

// line returns a picture of the stroke in characters, as HTML: a dashed arrow or a solid one.
func (k key) line() string {
	if k.dash != "" {
		return "- - &gt;"
	}
	return "&#8212;&#8212;&gt;"
}

// legend returns a key for each kind of stroke in the graph.
func legend(g *Graph) (out []key) {
	have := map[Evidence]bool{}
	possible := false
	for _, a := range g.arrows() {
		have[a.evidence] = have[a.evidence] || !a.possible
		possible = possible || a.possible
	}
	for _, e := range []Evidence{Proven, Syntactic, Lexical} {
		if have[e] {
			colour, name := e.stroke()
			if e == Proven {
				name = cmp.Or(g.ProvenName, name)
			}
			out = append(out, key{colour: colour, dash: dashOf(e, false), text: name})
		}
	}
	if possible {
		out = append(out, key{colour: "#475569", dash: dashOf(Syntactic, true),
			text: "dashed: " + cmp.Or(g.PossibleName, "possible dispatch")})
	}
	return out
}

// dashOf returns the dash pattern of a stroke, "" for a solid one.
func dashOf(e Evidence, possible bool) string {
	switch {
	case possible:
		return "6 4"
	case e == Lexical:
		return "1.5 3"
	}
	return ""
}

// bidirectional reports whether a character changes the direction of the text around it, which can
// disguise a name as another.
func bidirectional(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

// xmlEscape escapes text for XML content and attributes. It writes a replacement character for
// each character that XML forbids or that changes the direction of text.
func xmlEscape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case r < 0x20 || r == 0xfffe || r == 0xffff || bidirectional(r):
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
