package tokens

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Show notes the places that an answer of this project's tools names. The
// answer is JSON or lines of text; known reports whether a path is a file of
// the repository.
func (v *View) Show(answer string, known func(path string) bool) {
	var tree any
	if strings.HasPrefix(answer, "{") && json.Unmarshal([]byte(answer), &tree) == nil {
		v.showJSON(tree, "")
		return
	}
	s := scanner{view: v, known: known}
	for line := range strings.Lines(answer) {
		s.line(strings.TrimRight(line, "\r\n"))
	}
}

// showJSON notes the lines and spans below a JSON value; file is that of the
// innermost object around it that names one.
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

func number(v any) int {
	f, _ := v.(float64)
	return int(f)
}

// scanner reads the lines of a text answer. A path on a line is that of the
// numbers after it and of the lines below, until the next path.
type scanner struct {
	view  *View
	known func(path string) bool
	file  string
	raw   bool // within a PACK2 block of source
}

var (
	pathMark = regexp.MustCompile(`[^\s"'(),;:|<>=]+`)
	lineMark = regexp.MustCompile(`^:?(\d+)(?:-(\d+))?$`)
	rawHead  = regexp.MustCompile(`^<<<<RAW:\d+ (.+):(\d+)-(\d+)>>>>$`)
	sourceAt = regexp.MustCompile(`\d:\s| -- | // `)
)

func (s *scanner) line(text string) {
	if m := rawHead.FindStringSubmatch(text); m != nil {
		s.raw = true
		s.view.Source(m[1], atoi(m[2]), atoi(m[3]))
		return
	}
	if s.raw {
		s.raw = text != "<<<<END>>>>"
		return
	}
	// Source follows "12: ", a remark " -- ".
	head := text
	if at := sourceAt.FindStringIndex(text); at != nil {
		head = text[:at[0]+1]
	}
	s.head(head)
}

// head notes the numbers of a line without its source.
func (s *scanner) head(text string) {
	for _, at := range pathMark.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		if path := strings.TrimPrefix(word, "./"); s.known(path) {
			s.file = path
			continue
		}
		m := lineMark.FindStringSubmatch(word)
		if m == nil || s.file == "" {
			continue
		}
		if m[2] == "" {
			s.view.Line(s.file, atoi(m[1]))
		} else {
			s.view.Named(s.file, atoi(m[1]), atoi(m[2]))
		}
	}
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // digits, by the pattern; too many of them are no line
	return n
}
