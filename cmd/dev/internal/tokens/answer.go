package tokens

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Answer is an answer of one of this project's tools.
type Answer struct {
	Text  string                             // text of the answer, in JSON or in lines
	File  string                             // file of the request, which lines of the answer omit; "" if there is none
	Known func(path string) bool             // reports whether a path is a file of the repository
	Line  func(path string, line int) string // returns the text of a line, 1-based; nil: excerpts are not looked up
}

// excerpted is the largest length in lines of a range for which excerpts are looked up. An
// excerpt is source without line numbers; its lines are searched in the range.
const excerpted = 20

// Show records in v the lines of files that an answer names or shows.
func (v *View) Show(a Answer) {
	var tree any
	if strings.HasPrefix(a.Text, "{") && json.Unmarshal([]byte(a.Text), &tree) == nil {
		v.showJSON(tree, "")
		return
	}
	s := scanner{view: v, known: a.Known, text: a.Line, file: a.File}
	for line := range strings.Lines(a.Text) {
		s.line(strings.TrimRight(line, "\r\n"))
	}
}

// showJSON records the lines and ranges of lines in a JSON value. file is the field "file" of the
// innermost enclosing object that has one.
func (v *View) showJSON(value any, file string) {
	switch x := value.(type) {
	case []any:
		for _, e := range x {
			v.showJSON(e, file)
		}
	case map[string]any:
		if f, ok := x["file"].(string); ok {
			file = f
		}
		from, to := number(x["startLine"]), number(x["endLine"])
		switch {
		case from > 0 && to > from:
			v.Named(file, from, to)
		case from > 0:
			v.Line(file, from)
		}
		if n := number(x["line"]); n > 0 {
			v.Line(file, n)
		}
		for _, e := range x {
			v.showJSON(e, file)
		}
	}
}

// number returns a number of a JSON value, 0 for any other value.
func number(v any) int {
	f, _ := v.(float64)
	return int(f)
}

// scanner reads the lines of a text answer:
//
//	a.go:3-9 function f        lines of a path
//	  return g(7)              source
//	b.go (test)                a heading: the path of the lines below
//	  12,14 h: g(1)            lines of the heading, and source
type scanner struct {
	view    *View
	known   func(path string) bool
	file    string // file of the lines that begin with a number instead of a path
	heading bool   // file comes from a heading, which holds for all indented lines
	text    func(path string, line int) string
	from    int // first line of the excerpt that follows, 0 for none
	to      int
}

var (
	numbers = regexp.MustCompile(`^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*(?:,\+\d+)?$`)
	before  = regexp.MustCompile(`(\d+):\s`) // matches a line number before source: "12: "
)

// line reads one line of the answer: it records the lines that the line names, and the heading that it is.
func (s *scanner) line(text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	indented := text[0] == ' ' || text[0] == '\t'
	if !indented {
		s.from, s.to = 0, 0
	} else if s.from > 0 {
		s.excerpt(strings.TrimSpace(text))
	}
	if s.known(words[0]) && (len(words) == 1 || words[1][0] == '(') {
		s.file, s.heading = words[0], true
		return
	}
	if numbers.MatchString(words[0]) || numbers.MatchString(strings.TrimSuffix(words[0], ":")) {
		s.lines(s.file, strings.TrimSuffix(words[0], ":"))
	} else if m := before.FindStringSubmatch(text); m != nil && indented {
		s.lines(s.file, m[1])
	}
	inline := ""
	for _, w := range words {
		path, spec, ok := strings.Cut(strings.Trim(w, `(),;"`), ":")
		spec = strings.TrimSuffix(spec, ":")
		if ok && path != "" && s.known(path) {
			inline = path
		} else if path != "" {
			continue
		}
		s.lines(inline, spec)
		if from, to, ok := strings.Cut(spec, "-"); ok && inline != "" && !indented {
			s.from, s.to = atoi(from), atoi(to)
		}
	}
	if inline != "" && !indented {
		s.file, s.heading = inline, false
	} else if inline != "" && !s.heading {
		s.file = inline
	}
}

// excerpt records the line number of a line of source, if the range named before it is short and
// contains that line exactly once.
func (s *scanner) excerpt(source string) {
	if s.text == nil || s.to-s.from >= excerpted {
		return
	}
	at, count := 0, 0
	for n := s.from; n <= s.to; n++ {
		if strings.TrimSpace(s.text(s.file, n)) == source {
			at = n
			count++
		}
	}
	if count == 1 {
		s.view.Line(s.file, at)
	}
}

// lines records the line numbers of a file in spec, such as "12,14-16". A count of further lines, as in
// "12,14,+3", is none of them.
func (s *scanner) lines(file, spec string) {
	if file == "" || !numbers.MatchString(spec) {
		return
	}
	for part := range strings.SplitSeq(spec, ",") {
		from, to, span := strings.Cut(part, "-")
		switch {
		case part[0] == '+':
		case span:
			s.view.Named(file, atoi(from), atoi(to))
		default:
			s.view.Line(file, atoi(from))
		}
	}
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // matches the pattern of digits; an overflow is no valid line
	return n
}
