package diagram

import (
	"fmt"
	"math"
	"strings"
)

const (
	labelSize = 12.0 // font size, in pixels
	placeSize = 9.5
	// advance is the width of a character of a monospaced font, relative to the font size.
	advance = 0.61
	// font lists fonts of the usual systems; all have the same advance.
	font = `ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace`
)

// SVG draws the graph, with a title, a legend and a tooltip on every box. The result is
// self-contained: no script, no style sheet, no external font.
func SVG(g *Graph) string {
	l := newLayout(len(g.Nodes), g.arrows())
	l.width, l.height = make([]float64, len(l.layer)), make([]float64, len(l.layer))
	for i := range g.Nodes {
		l.width[i], l.height[i] = boxWidth(&g.Nodes[i]), boxHeight
	}
	l.order()
	l.place()
	d := &drawing{g: g, l: l, fill: g.fillOf()}
	d.measure()
	d.head()
	for i := range l.arrows {
		d.arrow(i)
	}
	for i := range g.Nodes {
		d.box(i)
	}
	d.out.WriteString("</svg>\n")
	return d.out.String()
}

func boxWidth(n *Node) float64 {
	return min(max(textWidth(n.Label, labelSize), textWidth(n.Place, placeSize))+18, widest)
}

// drawing writes a laid-out graph.
type drawing struct {
	g             *Graph
	l             *layout
	out           strings.Builder
	fill          func(*Node) string
	width, height float64
	top           float64   // upper edge of the graph, below the title and the legend
	left, right   []float64 // of each layer
}

// legendRow is the height of a row of the legend.
const legendRow = 18.0

// measure computes the size of the drawing and the left and right edges of each layer.
func (d *drawing) measure() {
	l := d.l
	d.left, d.right = make([]float64, len(l.layers)), make([]float64, len(l.layers))
	for k, layer := range l.layers {
		d.left[k], d.right[k] = math.Inf(1), math.Inf(-1)
		for _, v := range layer {
			d.left[k], d.right[k] = min(d.left[k], l.x[v]-l.width[v]/2), max(d.right[k], l.x[v]+l.width[v]/2)
			d.width = max(d.width, l.x[v]+l.width[v]/2)
			d.height = max(d.height, l.y[v]+l.height[v]/2)
		}
	}
	for _, v := range l.lone {
		d.width, d.height = max(d.width, l.x[v]+l.width[v]/2), max(d.height, l.y[v]+l.height[v]/2)
	}
	d.width = max(d.width+margin+20, 560, textWidth(d.g.Title, 15)+2*margin, textWidth(d.g.Note, 11)+2*margin)
	rows := 2 // the title and a blank line
	if len(legend(d.g)) > 0 {
		rows++
	}
	rows += d.groupRows(func(float64, float64, string, string) {})
	if d.g.Note != "" {
		rows++
	}
	d.top = float64(rows) * legendRow
	d.height += d.top + margin
}

// textWidth returns the width of text; East Asian characters count as two columns.
func textWidth(s string, size float64) float64 {
	columns := 0
	for _, r := range s {
		if columns++; r >= 0x1100 {
			columns++
		}
	}
	return float64(columns) * size * advance
}

// groupRows calls draw for each group of the legend, with the left edge of its entry in pixels and
// its row, and returns the number of rows. It does not call draw if there is only one group.
func (d *drawing) groupRows(draw func(x, row float64, fill, name string)) int {
	names := d.g.groups()
	if len(names) < 2 {
		return 0
	}
	x, row := margin, 0.0
	put := func(fill, name string) {
		if w := textWidth(name, 11) + 34; x > margin && x+w > d.width-margin {
			x, row = margin, row+1
		}
		draw(x, row, fill, name)
		x += textWidth(name, 11) + 34
	}
	for i, name := range names[:min(len(names), len(fills))] {
		put(fills[i], name)
	}
	if more := len(names) - len(fills); more > 0 {
		put(plainFill, fmt.Sprintf("%d more", more))
	}
	return int(row) + 1
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// head writes the frame, the arrow heads, the title, the legend and the note.
func (d *drawing) head() {
	d.printf(
		`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="%s" font-size="%g">`+"\n",
		d.width, d.height, d.width, d.height, font, labelSize)
	d.printf("<title>%s</title>\n<defs>\n", xmlEscape(d.g.Title))
	for e := Lexical; e <= Proven; e++ {
		colour, _ := e.stroke()
		d.printf(
			`<marker id="a%d" viewBox="0 0 8 8" refX="7.5" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto-start-reverse"><path d="M0 0.5L8 4L0 7.5z" fill="%s"/></marker>`+"\n", e, colour)
	}
	d.printf("</defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n")
	y := margin
	d.printf(`<text x="%g" y="%g" font-size="15" font-weight="bold" fill="#0f172a">%s</text>`+"\n", margin, y,
		xmlEscape(d.g.Title))
	if keys := legend(d.g); len(keys) > 0 {
		y += legendRow
		x := margin
		for _, k := range keys {
			d.printf(`<path d="M%.1f %.1fh26" stroke="%s" stroke-width="1.6"%s/>`, x, y-4, k.colour, dashAttr(k.dash))
			d.printf(`<text x="%.1f" y="%.1f" font-size="11" fill="#334155">%s</text>`+"\n", x+32, y, xmlEscape(k.text))
			x += 32 + textWidth(k.text, 11) + 22
		}
	}
	rows := d.groupRows(func(x, row float64, fill, name string) {
		at := y + (row+1)*legendRow
		d.printf(
			`<rect x="%.1f" y="%.1f" width="13" height="11" rx="2" fill="%s" stroke="#64748b" stroke-width="0.8"/>`, x,
			at-9, fill)
		d.printf(`<text x="%.1f" y="%.1f" font-size="11" fill="#334155">%s</text>`+"\n", x+18, at, xmlEscape(name))
	})
	if d.g.Note != "" {
		y += float64(rows+1) * legendRow
		d.printf(`<text x="%g" y="%.1f" font-size="11" fill="#9a3412">%s</text>`+"\n", margin, y, xmlEscape(d.g.Note))
	}
}

func dashAttr(dash string) string {
	if dash == "" {
		return ""
	}
	return ` stroke-dasharray="` + dash + `"`
}

// arrow draws one arrow: horizontal lines through the layers that it passes, and curves between
// layers.
func (d *drawing) arrow(i int) {
	l, a := d.l, &d.l.arrows[i]
	colour, _ := a.evidence.stroke()
	width := min(1.1+0.25*float64(a.count-1), 2.4)
	var path strings.Builder
	route := l.route[i]
	if route == nil {
		x, y := l.x[a.from]+l.width[a.from]/2, l.y[a.from]+d.top
		fmt.Fprintf(&path, "M%.1f %.1fc22 -16 22 16 1 12", x, y-6)
	}
	for k, v := range route {
		y := l.y[v] + d.top
		if k == 0 {
			fmt.Fprintf(&path, "M%.1f %.1f", l.x[v]+l.width[v]/2, y)
			if x := d.right[l.layer[v]]; x > l.x[v]+l.width[v]/2+0.5 {
				fmt.Fprintf(&path, "H%.1f", x)
			}
			continue
		}
		from, to := d.right[l.layer[v]-1], d.left[l.layer[v]]
		bend := (to - from) * 0.5
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", from+bend, l.y[route[k-1]]+d.top, to-bend, y, to, y)
		switch {
		case k == len(route)-1:
			if x := l.x[v] - l.width[v]/2; x > to+0.5 {
				fmt.Fprintf(&path, "H%.1f", x)
			}
		case d.right[l.layer[v]] > to:
			fmt.Fprintf(&path, "H%.1f", d.right[l.layer[v]])
		}
	}
	head := "marker-end"
	if l.turned[i] {
		head = "marker-start"
	}
	d.printf(
		`<path d="%s" fill="none" stroke="%s" stroke-opacity="0.75" stroke-width="%.2f"%s %s="url(#a%d)"><title>%s → %s%s%s</title></path>`+"\n",
		path.String(), colour, width, dashAttr(dashOf(a.evidence, a.possible)), head, a.evidence,
		xmlEscape(d.g.Nodes[a.from].Label), xmlEscape(d.g.Nodes[a.to].Label),
		spaced(xmlEscape(a.label)), times(a.count))
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" ×%d", n)
}

// box draws one node.
func (d *drawing) box(i int) {
	l, n := d.l, &d.g.Nodes[i]
	x, y := l.x[i]-l.width[i]/2, l.y[i]-boxHeight/2+d.top
	stroke := `stroke="#64748b" stroke-width="1"`
	switch {
	case n.ID == d.g.Root:
		stroke = `stroke="#0f172a" stroke-width="2.6"`
	case n.External:
		stroke = `stroke="#94a3b8" stroke-width="1" stroke-dasharray="4 3"`
	}
	d.printf(`<g><title>%s</title><rect x="%.1f" y="%.1f" width="%.1f" height="%g" rx="6" fill="%s" %s/>`,
		xmlEscape(strings.TrimSpace(n.Label+"  "+n.Place)), x, y, l.width[i], boxHeight, d.fill(n), stroke)
	room := l.width[i] - 14
	baseline := y + 15.5
	if n.Place == "" {
		baseline = y + boxHeight/2 + 4
	}
	weight := ""
	if n.ID == d.g.Root {
		weight = ` font-weight="bold"`
	}
	d.printf(`<text x="%.1f" y="%.1f" fill="#0f172a"%s>%s</text>`, x+9, baseline, weight,
		xmlEscape(fitText(n.Label, room, labelSize)))
	if n.Place != "" {
		d.printf(`<text x="%.1f" y="%.1f" font-size="%g" fill="#475569">%s</text>`, x+9, y+28.5, placeSize,
			xmlEscape(fitText(n.Place, room, placeSize)))
	}
	d.out.WriteString("</g>\n")
}

// fitText shortens text to a width by cutting its middle, since names differ at their ends.
func fitText(s string, width, size float64) string {
	room := int(width / (size * advance))
	runes := []rune(s)
	if len(runes) <= room || room < 5 {
		return s
	}
	tail := (room - 1) * 3 / 5
	return string(runes[:room-1-tail]) + "…" + string(runes[len(runes)-tail:])
}
