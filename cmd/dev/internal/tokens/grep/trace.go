package grep

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/tokens"
)

var called = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*(?:\[[^\]]*\]|<[^>]*>)?\(`)

// trace reads the task's function, and then the functions that it calls. Before it reads those, it
// looks at the lines of their declarations or, if files is set, lists the files with them.
func (t *turn) trace(files bool) {
	i, ok := t.repo.by[t.task.File]
	if !ok {
		return
	}
	f := &t.repo.files[i]
	own := t.lang.declarations(t.task.Name, t.task.Symbol)[0]
	lines := f.find(own.search)
	if !t.run(fmt.Sprintf("rg -n %s %s", quoted(own.text), quoted(f.path)), func(p *printed) {
		for _, line := range lines {
			p.hits(t.repo, []hit{{i, line}}, true)
		}
	}) || len(lines) == 0 {
		return
	}
	names := t.body(f, lines[0])
	if len(names) == 0 || t.over {
		return
	}
	callees := t.lang.declaration(names...)
	hits := t.repo.find(callees.search)
	order := t.nearest(hits)
	if files {
		if !t.run(fmt.Sprintf("rg -l %s %s", t.lang.flag, quoted(callees.text)), func(p *printed) {
			list, _ := ranked(hits)
			slices.Sort(list)
			for _, f := range list {
				fmt.Fprintln(&p.text, t.repo.files[f].path)
			}
		}) {
			return
		}
	} else if t.look(callees.search, "rg -n "+t.lang.flag, callees.text); t.over {
		return
	}
	t.bodies(order)
}

// body reads a function in windows of the length narrow, and returns the names that it calls. The
// function ends at the next line that is indented no more than its first.
func (t *turn) body(f *file, from int) (names []string) {
	end := f.end(from)
	for at := from; at <= end; at += narrow {
		to := min(at+narrow-1, len(f.ends))
		if !t.run(fmt.Sprintf("sed -n '%d,%dp' %s", at, to, quoted(f.path)),
			func(p *printed) { p.window(f, at, to) }) {
			return nil
		}
	}
	for n := from + 1; n <= end; n++ {
		for _, m := range called.FindAllStringSubmatch(f.line(n), -1) {
			if name := m[1]; !slices.Contains(t.lang.keywords, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

const longest = 200 // lines of a function that an agent reads

// end returns the last line of the function that begins at a line.
func (f *file) end(from int) int {
	first := indent(f.line(from))
	for n := from + 1; n <= min(len(f.ends), from+longest); n++ {
		line := f.line(n)
		if text := strings.TrimSpace(line); text != "" && indent(line) <= first && !strings.HasPrefix(text, ")") {
			return n
		}
	}
	return min(len(f.ends), from+longest)
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// nearest sorts hits by distance: those in the file of the task come first,
// then those in its folder, then the others; tests come last.
func (t *turn) nearest(hits []hit) []hit {
	folder := t.task.File[:strings.LastIndexByte(t.task.File, '/')+1]
	far := func(h hit) int {
		path := t.repo.files[h.file].path
		switch {
		case path == t.task.File:
			return 0
		case tokens.IsTest(path):
			return 3
		case strings.HasPrefix(path, folder) && !strings.Contains(path[len(folder):], "/"):
			return 1
		}
		return 2
	}
	out := slices.Clone(hits)
	slices.SortStableFunc(out, func(a, b hit) int { return far(a) - far(b) })
	return out
}

// bodies reads the functions at hits, several in one call, in windows of the length narrow. It goes
// on with functions that are longer.
func (t *turn) bodies(hits []hit) {
	for part := range slices.Chunk(hits, group) {
		for at := 0; len(part) > 0; at += narrow {
			var commands []string
			for _, h := range part {
				commands = append(commands, fmt.Sprintf("sed -n '%d,%dp' %s", h.line+at, h.line+at+narrow-1,
					quoted(t.repo.files[h.file].path)))
			}
			if !t.run(strings.Join(commands, "; "), func(p *printed) {
				for _, h := range part {
					p.window(&t.repo.files[h.file], h.line+at, h.line+at+narrow-1)
				}
			}) {
				return
			}
			part = slices.DeleteFunc(slices.Clone(part), func(h hit) bool {
				return t.repo.files[h.file].end(h.line) < h.line+at+narrow
			})
		}
	}
}
