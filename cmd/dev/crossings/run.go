package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint"
)

// runner holds the flags of the command line. show has a letter for each group of edges to print, such as w for
// wrong ones. only has texts of which one must be in the name of a truth; none: all truths are judged.
type runner struct {
	corpus, data, show string
	only               []string
	services           bool
}

// answered is the confidence above which a crossing, a call that a handler of another service
// answers, counts as found. At or below it, the handler is only a candidate.
const answered = 0.5

func (r *runner) run(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(r.data, "*.txt"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no truths in %s: want files owner+name.txt there", r.data)
	}
	total := map[string]*score{}
	var found serviceScore
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if len(r.only) > 0 && !slices.ContainsFunc(r.only, func(s string) bool { return strings.Contains(name, s) }) {
			continue
		}
		t, err := read(file)
		if err != nil {
			return err
		}
		dir := filepath.Join(r.corpus, t.clone(r.corpus))
		if _, err := os.Stat(dir); err != nil {
			fmt.Printf("%s: no clone at %s\n", name, dir)
			continue
		}
		all, err := find(ctx, filepath.Join(dir, t.root))
		if err != nil {
			return err
		}
		scores := r.judge(t, all)
		for kind, s := range scores {
			if total[kind] == nil {
				total[kind] = &score{}
			}
			total[kind].add(s)
		}
		print(name, scores)
		if r.services {
			found.add(t.judgeServices(all.services))
		}
	}
	print("all", total)
	if r.services {
		fmt.Println("services:", found)
	}
	return nil
}

// clone returns the name of the directory in corpus that holds the cloned repository. That is the
// name of the truth's file, owner+name, without a suffix such as +SAMPLE if no directory has it.
func (t *truth) clone(corpus string) string {
	for name := t.name; ; {
		if _, err := os.Stat(filepath.Join(corpus, name)); err == nil {
			return name
		}
		i := strings.LastIndexByte(name, '+')
		if i < 0 {
			return t.name
		}
		name = name[:i]
	}
}

// score counts the crossings, calls between services, of one kind, such as http.
type score struct {
	right, wrong, missed int
	candidates           int // number of missed crossings whose right handler is among candidates
	noted                int // number of missed crossings that a note reports as unanswered
	notes                int // notes at sites that are no crossings of the truth
	oneWay               int // edges that the handler does not know of
}

func (s *score) add(o *score) {
	s.right += o.right
	s.wrong += o.wrong
	s.missed += o.missed
	s.candidates += o.candidates
	s.noted += o.noted
	s.notes += o.notes
	s.oneWay += o.oneWay
}

// print prints the sum of the scores, and the score of each kind if there are several.
func print(name string, scores map[string]*score) {
	kinds := []string{}
	all := &score{}
	for kind, s := range scores {
		kinds = append(kinds, kind)
		all.add(s)
	}
	slices.Sort(kinds)
	fmt.Printf("%-50s %s\n", name, all)
	for _, kind := range kinds {
		if len(kinds) > 1 {
			fmt.Printf("    %-46s %s\n", kind, scores[kind])
		}
	}
}

func (s *score) String() string {
	ratio := func(a, b int) string {
		if b == 0 {
			return "  -  "
		}
		return fmt.Sprintf("%.3f", float64(a)/float64(b))
	}
	return fmt.Sprintf("P %s R %s of %3d: right %3d wrong %2d missed %3d (candidates %d, noted %d, silent %d), "+
		"other notes %d, one-way %d",
		ratio(s.right, s.right+s.wrong), ratio(s.right, s.right+s.missed), s.right+s.missed, s.right,
		s.wrong, s.missed, s.candidates, s.noted, s.missed-s.candidates-s.noted, s.notes, s.oneWay)
}

// path converts a path relative to the workspace to one relative to the
// repository.
func (t *truth) path(file string) string {
	if t.root == "" {
		return file
	}
	return t.root + "/" + file
}

// key identifies a crossing by its call and its handler.
func (t *truth) key(x *endpoint.Crossing) string {
	return fmt.Sprintf("%s:%d %v", x.File.Path, x.Call.NameSpan.StartByte, x.Handler)
}

// within reports whether the call and the handler belong to one service of the
// truth.
func (t *truth) within(x *endpoint.Crossing) bool {
	return t.service(t.path(x.File.Path)) == t.service(t.path(x.Handler.File.Path))
}

// nearLines is the largest distance between the line of a call in the truth and the line that was
// found: one may be the line of its URL, the other the line of its callee.
const nearLines = 4

// match returns indexes of edges in list: matched those with the call and the handler of x, near
// those with the call of x.
func (t *truth) match(list []edge, x *endpoint.Crossing) (matched, near []int) {
	for k, e := range list {
		if e.kind != string(x.Kind) || e.site.file != t.path(x.File.Path) || !close(e.site.line, x) {
			continue
		}
		near = append(near, k)
		if x.Handler.Valid() && t.path(x.Handler.File.Path) == e.handler.file && answers(e.handler.line, x) {
			matched = append(matched, k)
		}
	}
	return matched, near
}

// close reports whether a line of the truth is that of the call of x: the line of its name, or one of its lines
// that is at most nearLines away from that.
func close(line int, x *endpoint.Crossing) bool {
	name := x.Call.NameSpan.StartLine
	return line == name || line >= x.Call.Span.StartLine && line <= max(name, x.Call.Span.EndLine) &&
		line-name <= nearLines && name-line <= nearLines
}

// answers reports whether a line belongs to the handler of x: to the line of its route, give or
// take one, or from the start of its declaration to its name.
func answers(line int, x *endpoint.Crossing) bool {
	if line >= x.At.StartLine-1 && line <= x.At.StartLine+1 {
		return true
	}
	if x.Handler.Index < 0 {
		return false
	}
	s := x.Handler.Symbol()
	if s.Kind == code.KindRoute {
		return line >= s.Span.StartLine && line <= s.NameSpan.StartLine+1
	}
	return line >= s.Span.StartLine-3 && line <= s.NameSpan.StartLine
}
