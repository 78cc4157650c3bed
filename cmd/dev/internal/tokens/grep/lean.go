package grep

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/tokens"
)

const (
	many       = 60 // if more lines match, an agent looks at the counts per file first
	countFiles = 20 // files in the list of counts
	group      = 5  // files of that list that it looks into at once
	narrow     = 40 // lines of a window around a declaration
	wide       = 80 // lines of a window in a file that is read
)

// lean answers a task by looking at matching lines.
func (t *turn) lean() {
	switch task := t.task; task.Kind {
	case tokens.Locate, tokens.Definition:
		for _, d := range t.lang.declarations(task.Name, task.Symbol) {
			t.look(d.search, "rg -n "+t.lang.flag, d.text)
		}
		t.look(named(task.Name), "rg -n -w", task.Name)
	case tokens.Describe, tokens.Recall:
		t.describe(t.leanIn)
	case tokens.Callers:
		s, pattern := t.calls(task.Name)
		t.look(s, "rg -n "+t.lang.flag, pattern)
		t.look(named(task.Name), "rg -n -w", task.Name)
	case tokens.Trace:
		t.trace(false)
	case tokens.Outline:
		t.outline(true)
	case tokens.Impact:
		t.impact(t.look)
	case tokens.Literal:
		t.look(search{words: []string{task.Text}}, "rg -n -F", task.Text)
	}
}

// named returns the search for a whole word.
func named(word string) search {
	return search{words: []string{word}, pattern: regexp.MustCompile(`\b` + word + `\b`)}
}

// calls returns the search for calls of a name, and its pattern: the name with a parenthesis, or
// the name alone if it is a type.
func (t *turn) calls(name string) (search, string) {
	pattern := `\b` + name + `\(`
	if t.task.Type {
		pattern = `\b` + name + `\b`
	}
	return search{words: []string{name}, pattern: regexp.MustCompile(pattern), files: t.lang.has}, pattern
}

// look prints the lines that match. If there are many, it prints the counts per file, the highest
// first, and then the lines of the files with the most matches.
func (t *turn) look(s search, command, pattern string) {
	hits := t.repo.find(s)
	if len(hits) <= many {
		t.run(strings.TrimSpace(command)+" "+quoted(pattern)+" | cut -c1-120",
			func(p *printed) { p.hits(t.repo, hits, false) })
		return
	}
	files, count := ranked(hits)
	rank := strings.Replace(command, "rg -n", "rg -c", 1)
	if !t.run(fmt.Sprintf("%s %s | sort -t: -k2 -nr | head -%d", rank, quoted(pattern), countFiles),
		func(p *printed) {
			for _, f := range files[:min(countFiles, len(files))] {
				fmt.Fprintf(&p.text, "%s:%d\n", t.repo.files[f].path, count[f])
			}
		}) {
		return
	}
	for part := range slices.Chunk(files, group) {
		if !t.run(fmt.Sprintf("%s %s %s | cut -c1-120", command, quoted(pattern), t.paths(part)),
			func(p *printed) { p.hits(t.repo, within(hits, part), len(part) == 1) }) {
			return
		}
	}
}

// paths returns the paths of files for a command line.
func (t *turn) paths(files []int) string {
	var out []string
	for _, f := range files {
		out = append(out, quoted(t.repo.files[f].path))
	}
	return strings.Join(out, " ")
}

// within returns the hits in the given files, in the order of files.
func within(hits []hit, files []int) (out []hit) {
	for _, f := range files {
		for _, h := range hits {
			if h.file == f {
				out = append(out, h)
			}
		}
	}
	return out
}

// leanIn looks at files that contain the words of a description: at their matching lines, unless
// there are many, and then at their declarations.
func (t *turn) leanIn(files []int, words search, pattern string) {
	words.files = nil
	hits := within(t.repo.find(words), files)
	if len(hits) <= many && !t.run(fmt.Sprintf("rg -n -i %s %s | cut -c1-120", quoted(pattern), t.paths(files)),
		func(p *printed) { p.hits(t.repo, hits, len(files) == 1) }) {
		return
	}
	all := search{pattern: regexp.MustCompile(t.lang.any)}
	t.run(fmt.Sprintf("rg -n %s %s | cut -c1-120", quoted(t.lang.any), t.paths(files)), func(p *printed) {
		for _, f := range files {
			for _, line := range t.repo.files[f].find(all) {
				p.hits(t.repo, []hit{{f, line}}, len(files) == 1)
			}
		}
	})
}

// outline lists the exported declarations of the task's file if lines is set, and then reads the
// file.
func (t *turn) outline(lines bool) {
	i, ok := t.repo.by[t.task.File]
	if !ok {
		return
	}
	f := &t.repo.files[i]
	if lines {
		exported := search{pattern: regexp.MustCompile(t.lang.exports)}
		if !t.run(fmt.Sprintf("rg -n %s %s | cut -c1-120", quoted(t.lang.exports), quoted(f.path)), func(p *printed) {
			for _, line := range f.find(exported) {
				p.hits(t.repo, []hit{{i, line}}, true)
			}
		}) {
			return
		}
	}
	t.read(f, 1, len(f.ends))
}

// read reads a range of lines of a file, in windows of the length wide.
func (t *turn) read(f *file, from, to int) {
	for ; from <= to; from += wide {
		end := min(from+wide-1, to)
		if !t.run(fmt.Sprintf("sed -n '%d,%dp' %s", from, end, quoted(f.path)),
			func(p *printed) { p.window(f, from, end) }) {
			return
		}
	}
}

// impact searches the tests for calls of the task's function. Then it finds the functions that call
// it, and searches the tests for calls of those.
func (t *turn) impact(look func(s search, command, pattern string)) {
	tests, pattern := t.calls(t.task.Name)
	tests.files = func(path string) bool { return t.lang.has(path) && tokens.IsTest(path) }
	look(tests, "rg -n "+t.lang.flag+" -g '*[tT]est*'", pattern)

	code, pattern := t.calls(t.task.Name)
	code.files = func(path string) bool { return t.lang.has(path) && !tokens.IsTest(path) }
	look(code, "rg -n "+t.lang.flag+" -g '!*[tT]est*'", pattern)
	var names []string
	hits := t.repo.find(code)
	if len(hits) > many {
		return
	}
	for _, h := range hits {
		if name := t.enclosing(h); name != "" && name != t.task.Name && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	files, _ := ranked(hits)
	all := search{pattern: regexp.MustCompile(t.lang.any)}
	if !t.run(fmt.Sprintf("rg -n %s %s | cut -c1-120", quoted(t.lang.any), t.paths(files)), func(p *printed) {
		for _, f := range files {
			for _, line := range t.repo.files[f].find(all) {
				p.hits(t.repo, []hit{{f, line}}, len(files) == 1)
			}
		}
	}) {
		return
	}
	pattern = `\b(` + strings.Join(names, "|") + `)\(`
	look(search{words: names, pattern: regexp.MustCompile(pattern), files: tests.files},
		"rg -n "+t.lang.flag+" -g '*[tT]est*'", pattern)
}

var lastName = regexp.MustCompile(`(\w+)\s*(\[[^\]]*\]|<[^>]*>)?\s*\(`)

// enclosing returns the name of the function around a line: the nearest
// declaration above it.
func (t *turn) enclosing(h hit) string {
	f := &t.repo.files[h.file]
	declared := regexp.MustCompile(t.lang.any)
	for n := h.line - 1; n > 0; n-- {
		line := f.line(n)
		if !declared.MatchString(line) {
			continue
		}
		line = receiver.ReplaceAllString(line, "func ")
		if m := lastName.FindStringSubmatch(line); m != nil {
			return m[1]
		}
		return ""
	}
	return ""
}

var receiver = regexp.MustCompile(`^func \([^)]*\) `)
