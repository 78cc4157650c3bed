package navigate_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

var (
	// siteLine matches a caller: "  a.go:12,14 Label", below a heading without the path.
	siteLine = regexp.MustCompile(`^( *)(?:([^ :]+):)?(\d+(?:,\d+)*) `)
	// callsAt matches the lines of the calls of a callee.
	callsAt = regexp.MustCompile(` at (\d+(?:,\d+)*)(?:$|:| )`)
	// note matches lines about the graph that hold no edge.
	note = regexp.MustCompile(
		`^(\d|\+|(unresolved|through values|no service here|cycles|below min|external:|language servers|note:|no call))`)
	// bodyLine matches the heading of a body.
	bodyLine = regexp.MustCompile(`^(symbol|caller|callee) [^ :]+:\d+(-\d+)? `)
	// otherCall matches a line below "other calls": "  A -> B a.go:12".
	otherCall = regexp.MustCompile(`^  .* -> .* ([^ :]+):(\d+(?:,\d+)*)(?:$|:| )`)
)

// graphText collects the places that the text of a call graph names.
type graphText struct {
	root    string // the file of the requested symbol
	files   map[string]bool
	heading string
	section string
	above   []level // of callees, the lines that the next may be below
	found   []string
}

// level is a line of the section of callees.
type level struct {
	indent int
	file   string
}

func (g *graphText) read(text string) []string {
	for line := range strings.Lines(text) {
		g.line(strings.TrimSuffix(line, "\n"))
	}
	return g.found
}

func (g *graphText) line(line string) {
	switch {
	case strings.HasPrefix(line, "callers of "), strings.HasPrefix(line, "callees of "), line == "other calls":
		g.section, g.heading, g.above = line[:7], "", nil
		return
	case bodyLine.MatchString(line):
		g.section = "bodies" // to the end; their places are those of nodes
		return
	case g.section == "bodies", note.MatchString(line):
		return
	case g.files[line], line == "external":
		g.heading, g.above = line, nil
		return
	case g.section == "other c":
		if m := otherCall.FindStringSubmatch(line); m != nil {
			g.sites(m[1], m[2])
		}
		return
	}
	m := siteLine.FindStringSubmatch(line)
	if g.section == "callers" {
		if m != nil && stringsOr(m[2], g.heading) != "" {
			g.sites(stringsOr(m[2], g.heading), m[3])
		}
		return
	}
	if g.section == "callees" && line != "" && line[0] != '+' {
		g.callee(line, m)
	}
}

// callee reads a line of the section of callees. m is the match of the place where the callee is
// declared, nil for an external one.
func (g *graphText) callee(line string, m []string) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	for len(g.above) > 0 && g.above[len(g.above)-1].indent >= indent {
		g.above = g.above[:len(g.above)-1]
	}
	from, file := g.root, ""
	if n := len(g.above); n > 0 {
		from = g.above[n-1].file
	}
	if m != nil {
		file = stringsOr(m[2], g.heading)
		g.sites(file, m[3])
	}
	if at := callsAt.FindStringSubmatch(line); at != nil {
		g.sites(from, at[1])
	}
	g.above = append(g.above, level{indent, file})
}

func (g *graphText) sites(file, lines string) {
	for n := range strings.SplitSeq(lines, ",") {
		g.found = append(g.found, file+":"+n)
	}
}

// graphs returns the functions by which the law compares call graphs: the place of an edge is its
// call site. In text, a line for a callee also names the place of its declaration. ofJSON stores
// the declarations in ends, since the text may name them but need not.
func graphs(b *navigatetest.Bench, ends map[string]bool) tool[contract.GraphRequest, *contract.GraphAnswer] {
	return tool[contract.GraphRequest, *contract.GraphAnswer]{
		ask:    func(r contract.GraphRequest) *contract.GraphAnswer { return b.Graph(r) },
		cursor: func(a *contract.GraphAnswer) string { return a.Cursor },
		ofJSON: func(a *contract.GraphAnswer) (list []string) {
			for _, e := range a.Edges {
				list = append(list, fmt.Sprintf("%s:%d", e.Site.File, e.Site.StartLine))
			}
			for _, n := range a.Nodes {
				ends[fmt.Sprintf("%s:%d", n.File, n.Span.StartLine)] = true
			}
			return list
		},
		ofText: func(_ contract.GraphRequest, a *contract.GraphAnswer, text string) (list []string) {
			g := graphText{files: map[string]bool{}}
			for _, n := range a.Nodes {
				if g.files[n.File] = true; n.SymbolID == a.SymbolRef.SymbolID {
					g.root = n.File
				}
			}
			sites := map[string]bool{}
			for _, e := range a.Edges {
				g.files[e.Site.File] = true
				sites[fmt.Sprintf("%s:%d", e.Site.File, e.Site.StartLine)] = true
			}
			for _, s := range g.read(text) {
				if sites[s] || !ends[s] {
					list = append(list, s)
				}
			}
			return list
		},
	}
}

func TestTextAgreesGraph(t *testing.T) {
	folds := 0
	for _, b := range benches(t, "text/template") {
		random := rand.New(rand.NewPCG(1, 2))
		labels := named(b)
		for range tries(40) {
			label := pick(random, labels...)
			r := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: label},
				Verify: contract.VerifyOff, DeadlineMs: contract.MaxDeadline,
				Direction: pick(random, contract.DirectionCallers, contract.DirectionCallees, contract.DirectionBoth),
				Depth:     pick(random, 1, 1, 2, 3), Limit: pick(random, 0, 10, contract.MaxEdgeLimit),
				Detail:   pick(random, "", "", contract.DetailFull, contract.DetailBodies),
				Delivery: contract.Delivery{MaxTokens: pick(random, 0, 2000, contract.MaxMaxTokens)}}
			folds += agree(b, graphs(b, map[string]bool{}), r)
		}
	}
	if folds == 0 {
		t.Error("nothing was left out")
	}
}

// named returns references to symbols of a bench, by file and name.
func named(b *navigatetest.Bench) (labels []string) {
	for _, file := range files(b) {
		r := contract.OutlineRequest{Path: b.Dir, File: file,
			Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}
		a, err := b.Service.Outline(b.T.Context(), navigatetest.Normal(b.T, r))
		if err != nil {
			b.T.Fatal(err)
		}
		if a.Outline == nil {
			continue
		}
		for _, s := range a.Outline.Symbols {
			if s.Kind.Callable() || len(s.ParentPath) == 0 {
				labels = append(labels, file+":"+s.QualifiedName)
			}
		}
	}
	return labels
}

// TestFoldsOfGraphsCount checks that each fold, a line that counts omitted edges, counts each edge
// once, and that the argument in the line shows exactly these.
func TestFoldsOfGraphsCount(t *testing.T) {
	b := navigatetest.Indexed(t, "text/template")
	random := rand.New(rand.NewPCG(11, 12))
	labels, folds := named(b), 0
	for range 80 {
		r := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: pick(random, labels...)},
			Verify: contract.VerifyOff, DeadlineMs: contract.MaxDeadline,
			Direction: contract.DirectionCallers, Limit: contract.MaxEdgeLimit,
			Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}
		all := b.Graph(r)
		a, text := asText(b, r, b.Graph)
		counted := 0
		for _, f := range foldsIn(text) {
			folds++
			opened, _ := asText(b, changed(t, r, f.args), b.Graph)
			if more := len(opened.Edges) - len(a.Edges); more != f.count {
				t.Errorf("%+v: %q, and its argument shows %d more\n%s", r.SymbolRef, f.line, more, text)
			}
			counted += f.count
		}
		if missing := len(all.Edges) - len(a.Edges); missing != counted {
			t.Errorf("%+v: %d edges are left out, and %d counted\n%s", r.SymbolRef, missing, counted, text)
		}
	}
	if folds == 0 {
		t.Error("nothing was folded")
	}
}

// impactText returns the places that the text of an answer about a change names.
func impactText(text string) (list []string) {
	section := ""
	row := regexp.MustCompile(`^  ([^ :]+)(?: \([^)]*\))?(?:  \[[^\]]*\])?(?::(\d+) |: |$)(.*)$`)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		m := row.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[1], "+") {
			section = line
			continue
		}
		switch {
		case strings.HasPrefix(section, "changed "):
			list = append(list, "changed "+m[1])
			for _, s := range regexp.MustCompile(`(?:^|, )(?:new )?(\d+) `).FindAllStringSubmatch(m[3], -1) {
				list = append(list, m[1]+":"+s[1])
			}
		case strings.HasPrefix(section, "tests, "):
			list = append(list, "test "+m[1])
			for _, name := range strings.Split(m[3], ", ") {
				if name != "" && name[0] != '+' {
					list = append(list, m[1]+" "+name)
				}
			}
		case strings.HasPrefix(section, "callers "):
			for _, s := range regexp.MustCompile(`(?:^|, )(\d+) `).FindAllStringSubmatch(m[3], -1) {
				list = append(list, m[1]+":"+s[1])
			}
		}
	}
	return list
}

func TestTextAgreesImpact(t *testing.T) {
	b := navigatetest.Indexed(t, "text/template")
	b.Git("init", "-q", "-b", "main")
	b.Git("add", "-A")
	b.Git("commit", "-q", "-m", "first")
	impacts := tool[contract.GraphRequest, *contract.GraphAnswer]{
		ask:    func(r contract.GraphRequest) *contract.GraphAnswer { return b.Graph(r) },
		cursor: func(a *contract.GraphAnswer) string { return a.Cursor },
		ofJSON: func(a *contract.GraphAnswer) (list []string) {
			for _, f := range a.Impact.Files {
				list = append(list, "changed "+f.File)
				for _, s := range f.Symbols {
					if s.State != contract.ChangeRemoved {
						list = append(list, fmt.Sprintf("%s:%d", f.File, s.Span.StartLine))
					}
				}
			}
			for _, c := range a.Impact.Tests {
				list = append(list, "test "+c.File)
				for _, n := range c.Tests {
					list = append(list, c.File+" "+n.Label)
				}
			}
			for _, c := range a.Impact.Callers {
				list = append(list, fmt.Sprintf("%s:%d", c.File, c.Line))
			}
			return list
		},
		ofText: func(_ contract.GraphRequest, _ *contract.GraphAnswer, text string) []string {
			return impactText(text)
		},
	}
	random, folds, revision := rand.New(rand.NewPCG(13, 14)), 0, "HEAD"
	goFiles := files(b)
	for range 6 {
		b.Edit(pick(random, goFiles...), func(text string) string {
			funcs := regexp.MustCompile(`(?m)^func .*\{$`).FindAllStringIndex(text, -1)
			if len(funcs) == 0 {
				return text + "\nvar added = 1\n"
			}
			for i := len(funcs) - 1; i >= 0; i-- { // from the end, so that earlier offsets stay valid
				if random.IntN(3) > 0 {
					text = text[:funcs[i][1]] + "\n\t_ = 1" + text[funcs[i][1]:]
				}
			}
			return text + "\n"
		})
		r := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{Diff: &revision},
			Limit: pick(random, 0, 2, 100), DeadlineMs: contract.MaxDeadline,
			Delivery: contract.Delivery{MaxTokens: pick(random, 300, 1000, 8000)}}
		folds += agree(b, impacts, r)
	}
	if folds == 0 {
		t.Error("nothing was left out")
	}
}
