package navigate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// A law of all tools: the text and the JSON of one request agree. Every place in the text is in the
// JSON. Every place in the JSON is in the text or is counted by a line that begins with "+". The
// argument at the end of such a line requests the places that it counts.

// asText calls ask for an answer as compact text, as the server does, and returns both.
func asText[R any, P interface {
	*R
	contract.Request
}, A any](b *navigatetest.Bench, r R, ask func(R) A) (A, string) {
	b.T.Helper()
	p := P(&r)
	p.Want().Format, p.Want().Price = contract.FormatText, compact.Cost(p)
	r = navigatetest.Normal[R, P](b.T, r)
	answer := ask(r)
	text, err := compact.Text(P(&r), answer)
	if err != nil {
		b.T.Fatal(err)
	}
	if n, most := contract.Tokens(text), P(&r).Want().MaxTokens; n > most {
		b.T.Errorf("%+v: %d tokens of %d", r, n, most)
	}
	return answer, text
}

// fold is a line that counts what a text leaves out.
type fold struct {
	line  string
	count int                        // 0 if the line has no number
	args  map[string]json.RawMessage // what the next call changes
}

var (
	counting = regexp.MustCompile(`^ *\+([\d,]*)`)
	argument = regexp.MustCompile(`^(\w+): (.+)$`)
)

// foldsIn returns the lines of a text that count what it leaves out.
func foldsIn(text string) (list []fold) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		m := counting.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		f := fold{line: line, args: map[string]json.RawMessage{}}
		f.count, _ = strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
		for _, part := range strings.Split(line, "   ")[1:] {
			if a := argument.FindStringSubmatch(part); a != nil && json.Valid([]byte(a[2])) {
				f.args[a[1]] = json.RawMessage(a[2])
			}
		}
		list = append(list, f)
	}
	return list
}

// changed returns a request with other values of arguments; nil removes one.
func changed[R any](t *testing.T, r R, args map[string]json.RawMessage) (next R) {
	t.Helper()
	text, err := json.Marshal(r)
	whole := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(text, &whole)
	}
	for name, value := range args {
		if whole[name] = value; value == nil {
			delete(whole, name)
		}
	}
	if err == nil {
		text, err = json.Marshal(whole)
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields() // a line names an argument that the tool has
		err = d.Decode(&next)
	}
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// places maps each place in an answer, such as a.go:12, to the number of times that it occurs.
type places map[string]int

func (p places) add(list ...string) {
	for _, s := range list {
		p[s]++
	}
}

// tool holds the functions by which the law compares the answers of one tool.
type tool[R any, A any] struct {
	ask    func(R) A
	cursor func(A) string
	// ofJSON returns the places of an answer, and ofText the places of its text.
	ofJSON func(A) []string
	ofText func(r R, a A, text string) []string
	// exact reports whether the folds of a text count places, each once.
	exact func(r R) bool
}

// most bounds the calls that one request leads to.
const most = 1000

// whole returns the places of all pages of a request as JSON.
func whole[R any, P interface {
	*R
	contract.Request
}, A any](b *navigatetest.Bench, t tool[R, A], r R) places {
	b.T.Helper()
	r = changed(b.T, r, map[string]json.RawMessage{"cursor": nil, "maxTokens": json.RawMessage("25000"),
		"format": json.RawMessage(`"json"`)})
	out := places{}
	for range most {
		a := t.ask(navigatetest.Normal[R, P](b.T, r))
		out.add(t.ofJSON(a)...)
		next := t.cursor(a)
		if next == "" {
			return out
		}
		r = changed(b.T, r, map[string]json.RawMessage{"cursor": json.RawMessage(strconv.Quote(next))})
	}
	b.T.Fatalf("%+v: JSON does not end", r)
	return nil
}

// sameStatements returns the places of the symbols that the text does not repeat: the names of a statement after the
// first, which is written whole.
func sameStatements(a *contract.OutlineAnswer) (list []string) {
	if a.Outline == nil {
		return nil
	}
	for i, s := range a.Outline.Symbols[min(1, len(a.Outline.Symbols)):] {
		if first := a.Outline.Symbols[i]; s.Span == first.Span && s.Signature == first.Signature &&
			strings.Contains(s.Signature, s.Name) {
			list = append(list, fmt.Sprintf("%d-%d", s.Span.StartLine, s.Span.EndLine))
		}
	}
	return list
}

// agree checks the law for one request. It returns how many lines counted something.
func agree[R any, P interface {
	*R
	contract.Request
}, A any](b *navigatetest.Bench, t tool[R, A], r R) (folds int) {
	b.T.Helper()
	key := func(r R) string {
		text, err := json.Marshal(r)
		if err != nil {
			b.T.Fatal(err)
		}
		return string(text)
	}
	known := map[string]places{} // JSON, by request without its cursor
	jsonOf := func(r R) places {
		k := key(changed(b.T, r, map[string]json.RawMessage{"cursor": nil}))
		if known[k] == nil {
			known[k] = whole[R, P](b, t, r)
		}
		return known[k]
	}
	want := jsonOf(r)
	got, asked := places{}, map[string]bool{key(r): true}
	for queue := []R{r}; len(queue) > 0 && len(asked) < most; queue = queue[1:] {
		now := queue[0]
		a, text := asText[R, P](b, now, t.ask)
		shown, all := places{}, jsonOf(now)
		shown.add(t.ofText(now, a, text)...)
		for s := range shown {
			got[s]++
			if all[s] == 0 {
				b.T.Errorf("%s: %s is not in the JSON\n%s", key(now), s, text)
			}
		}
		counted := 0
		for _, f := range foldsIn(text) {
			folds++
			counted += f.count
			if len(f.args) == 0 {
				b.T.Errorf("%s: no argument shows what is behind %q\n%s", key(now), f.line, text)
				continue
			}
			if f.args["cursor"] == nil {
				f.args["cursor"] = nil // another argument begins again
			}
			next := changed(b.T, now, f.args)
			if k := key(next); !asked[k] {
				asked[k] = true
				queue = append(queue, next)
			}
		}
		if missing := total(all) - total(shown); t.exact != nil && t.exact(now) && missing != counted {
			b.T.Errorf("%s: %d of %d places are left out, and %d counted\n%s", key(now), missing,
				total(all), counted, text)
		}
	}
	var lost []string
	for s := range want {
		if got[s] == 0 {
			lost = append(lost, s)
		}
	}
	if slices.Sort(lost); len(lost) > 0 {
		_, text := asText[R, P](b, r, t.ask)
		b.T.Errorf("%s: no call shows %v\n%s", key(r), lost[:min(len(lost), 20)], text)
	}
	return folds
}

func total(p places) (n int) {
	for _, k := range p {
		n += k
	}
	return n
}

// benches returns workspaces to try the law on: packages of Go, and the repositories
// that SEXTANT_AGREE names, separated by colons.
func benches(t *testing.T, from ...string) (list []*navigatetest.Bench) {
	for _, dir := range from {
		list = append(list, navigatetest.Indexed(t, dir))
	}
	for _, dir := range filepath.SplitList(os.Getenv("SEXTANT_AGREE")) {
		list = append(list, navigatetest.Tracked(t, dir))
	}
	return list
}

// tries returns how many requests to draw for each tool and bench: n, or
// SEXTANT_AGREE_TRIES.
func tries(n int) int {
	if more, err := strconv.Atoi(os.Getenv("SEXTANT_AGREE_TRIES")); err == nil {
		return more
	}
	return n
}

// files returns the source files of a bench.
func files(b *navigatetest.Bench) (list []string) {
	b.T.Helper()
	source := regexp.MustCompile(`\.(go|ts|tsx|js|java|py|rb|rs|cs|kt)$`)
	err := filepath.WalkDir(b.Dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(b.Dir, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && rel != "." &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "vendor"):
			return filepath.SkipDir
		case d.Type().IsRegular() && source.MatchString(rel):
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		b.T.Fatalf("%d files: %v", len(list), err)
	}
	return list
}

func pick[T any](random *rand.Rand, list ...T) T { return list[random.IntN(len(list))] }

func TestTextAgreesOutline(t *testing.T) {
	folds := 0
	for _, b := range benches(t, "go/ast") {
		random := rand.New(rand.NewPCG(5, 6))
		outlines := tool[contract.OutlineRequest, *contract.OutlineAnswer]{
			ask: func(r contract.OutlineRequest) *contract.OutlineAnswer {
				a, err := b.Service.Outline(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				return a
			},
			cursor: func(a *contract.OutlineAnswer) string { return a.Cursor },
			ofJSON: func(a *contract.OutlineAnswer) (list []string) {
				if a.Outline != nil {
					for _, s := range a.Outline.Symbols {
						list = append(list, fmt.Sprintf("%d-%d", s.Span.StartLine, s.Span.EndLine))
					}
				}
				return list
			},
			ofText: func(_ contract.OutlineRequest, a *contract.OutlineAnswer, text string) (list []string) {
				for _, m := range regexp.MustCompile(`(?m)^ *(\d+)(-\d+)? `).FindAllStringSubmatch(text, -1) {
					list = append(list, m[1]+stringsOr(m[2], "-"+m[1]))
				}
				return append(list, sameStatements(a)...)
			},
			// With exported, JSON leaves the others out, too.
			exact: func(r contract.OutlineRequest) bool {
				return r.Cursor == "" && (r.Exported == nil || !*r.Exported)
			},
		}
		all := files(b)
		for range tries(15) {
			yes := pick(random, true, false)
			r := contract.OutlineRequest{Path: b.Dir, File: pick(random, all...), Exported: pick(random, nil, &yes),
				LimitSymbols: pick(random, 0, 60, 1000), Detail: pick(random, "", contract.DetailFull),
				Delivery: contract.Delivery{MaxTokens: pick(random, 1500, 3000, 25000)}}
			if random.IntN(3) == 0 {
				r.StartLine = 1 + random.IntN(300)
				r.EndLine = r.StartLine + random.IntN(600)
			}
			folds += agree(b, outlines, r)
		}
	}
	if folds == 0 {
		t.Error("nothing was left out")
	}
}

func stringsOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestTextAgreesExhaustiveSearch(t *testing.T) {
	folds := 0
	for _, b := range benches(t, "text/template") {
		random := rand.New(rand.NewPCG(7, 8))
		words := []string{"error", "return", "Tree", "node", "lex", "TODO", "copyright", "import", "class",
			"id", "{{", "zzz-nothing"}
		searches := tool[contract.SearchRequest, *contract.SearchAnswer]{
			ask:    func(r contract.SearchRequest) *contract.SearchAnswer { return b.Search(r) },
			cursor: func(a *contract.SearchAnswer) string { return a.Cursor },
			ofJSON: func(a *contract.SearchAnswer) (list []string) {
				for _, r := range a.Results {
					for _, l := range r.(*contract.Group).MatchedLines {
						list = append(list, fmt.Sprintf("%s:%d", r.(*contract.Group).File, l.Line))
					}
				}
				return list
			},
			ofText: func(_ contract.SearchRequest, a *contract.SearchAnswer, text string) (list []string) {
				known := map[string]bool{}
				for _, r := range a.Results {
					g := r.(*contract.Group)
					known[g.File], known[fmt.Sprintf("%s (%s)", g.File, g.Class)] = true, true
				}
				for _, s := range sitesIn(text, known) {
					list = append(list, regexp.MustCompile(` \(\w+\):`).ReplaceAllString(s, ":"))
				}
				return list
			},
		}
		for range tries(8) {
			word := pick(random, words...)
			r := contract.SearchRequest{Path: b.Dir, Query: "must:" + strconv.Quote(word), Limit: pick(random, 20, 50),
				Context:  pick(random, 0, 0, 2),
				Scope:    pick(random, "", contract.ScopeRuntime, contract.ScopeDocs),
				GroupBy:  pick(random, "", contract.GroupByFile),
				Delivery: contract.Delivery{MaxTokens: pick(random, 3000, 8000, 25000)}}
			folds += agree(b, searches, r)
		}
	}
	if folds == 0 {
		t.Error("nothing was left out")
	}
}

func TestTextAgreesRead(t *testing.T) {
	for _, b := range benches(t, "text/template") {
		random := rand.New(rand.NewPCG(9, 10))
		all := files(b)
		for range tries(15) {
			file := pick(random, all...)
			text, err := os.ReadFile(filepath.Join(b.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
			first := 1 + random.IntN(len(lines))
			last := min(first+random.IntN(800), len(lines))
			r := contract.ReadRequest{Path: filepath.Join(b.Dir, file), StartLine: first, EndLine: last,
				Delivery: contract.Delivery{MaxTokens: pick(random, 300, 2000, 20000)}}
			got := ""
			for range most {
				_, page := asText(b, r, func(r contract.ReadRequest) *contract.ReadAnswer {
					a, err := b.Service.Read(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					return a
				})
				folds := foldsIn(page)
				if len(folds) == 0 || len(folds[len(folds)-1].args) == 0 ||
					!strings.HasSuffix(page, folds[len(folds)-1].line+"\n") {
					got += page
					break
				}
				cut := folds[len(folds)-1]
				got += strings.TrimSuffix(page, cut.line+"\n")
				r = changed(t, r, cut.args)
			}
			if want := strings.Join(lines[first-1:last], ""); strings.TrimRight(got, "\n") !=
				strings.TrimRight(want, "\n") {
				t.Errorf("%s:%d-%d: the pages of %d tokens are not the lines of the file:\n%s", file,
					first, last, r.MaxTokens, got)
			}
		}
	}
}

func TestTextAgreesFolders(t *testing.T) {
	folds := 0
	entry := regexp.MustCompile(`^  (?:(\w+): )?(.+)$`)
	symbol := regexp.MustCompile(`(?:^|, )(\d+) `)
	for _, b := range benches(t, "go") {
		random := rand.New(rand.NewPCG(15, 16))
		folders := tool[contract.OutlineRequest, *contract.OutlineAnswer]{
			ask: func(r contract.OutlineRequest) *contract.OutlineAnswer {
				a, err := b.Service.Outline(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				return a
			},
			cursor: func(a *contract.OutlineAnswer) string { return a.Cursor },
			ofJSON: func(a *contract.OutlineAnswer) (list []string) {
				for _, e := range a.Folder.Entries {
					list = append(list, e.Path)
					for _, s := range e.Symbols {
						list = append(list, fmt.Sprintf("%s:%d", e.Path, s.Line))
					}
				}
				return list
			},
			ofText: func(_ contract.OutlineRequest, _ *contract.OutlineAnswer, text string) (list []string) {
				for line := range strings.Lines(text) {
					m := entry.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
					switch {
					case m == nil:
					case m[1] != "":
						list = append(list, strings.Split(m[2], ", ")...)
					default:
						name, _, _ := strings.Cut(m[2], ",")
						list = append(list, name)
						_, symbols, _ := strings.Cut(m[2], ": ")
						for _, s := range symbol.FindAllStringSubmatch(symbols, -1) {
							list = append(list, name+":"+s[1])
						}
					}
				}
				return list
			},
		}
		dirs := []string{"."}
		for _, f := range files(b) {
			if dir := path.Dir(f); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
		for range tries(12) {
			no := false
			r := contract.OutlineRequest{Path: b.Dir, File: pick(random, dirs...), Exported: pick(random, nil, &no),
				Detail:   pick(random, "", contract.DetailFull),
				Delivery: contract.Delivery{MaxTokens: pick(random, 300, 1500, 25000)}}
			folds += agree(b, folders, r)
		}
	}
	if folds == 0 {
		t.Error("nothing was left out")
	}
}

// excerpts returns the functions for read_file with identifiers, whose places are the lines that
// contain them.
func excerpts(b *navigatetest.Bench) tool[contract.ReadRequest, *contract.ReadAnswer] {
	line := regexp.MustCompile(`(?m)^(\d+): `)
	return tool[contract.ReadRequest, *contract.ReadAnswer]{
		ask: func(r contract.ReadRequest) *contract.ReadAnswer {
			a, err := b.Service.Read(b.T.Context(), r)
			if err != nil {
				b.T.Fatal(err)
			}
			return a
		},
		cursor: func(*contract.ReadAnswer) string { return "" },
		ofJSON: func(a *contract.ReadAnswer) (list []string) {
			for _, l := range a.Excerpt.Lines {
				list = append(list, strconv.Itoa(l.Line))
			}
			return list
		},
		ofText: func(_ contract.ReadRequest, _ *contract.ReadAnswer, text string) (list []string) {
			for _, m := range line.FindAllStringSubmatch(text, -1) {
				list = append(list, m[1])
			}
			return list
		},
	}
}

func TestTextAgreesIdentifiers(t *testing.T) {
	folds := 0
	for _, b := range benches(t, "text/template") {
		random := rand.New(rand.NewPCG(13, 14))
		for range tries(20) {
			r := contract.ReadRequest{Path: b.Dir, File: pick(random, files(b)...),
				Identifiers: []string{pick(random, "node", "s", "err", "pipe")},
				Delivery:    contract.Delivery{MaxTokens: pick(random, 300, 800, 3000)}}
			folds += agree(b, excerpts(b), r)
		}
	}
	if folds == 0 {
		t.Error("nothing was left out")
	}
}
