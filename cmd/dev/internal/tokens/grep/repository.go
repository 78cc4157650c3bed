package grep

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Repository holds the text of all files below a directory that ripgrep would search: it skips
// hidden and binary ones.
type Repository struct {
	files []file
	by    map[string]int
}

type file struct {
	path  string
	text  []byte
	lower []byte
	ends  []int // offset of the end of each line
}

// Read reads the files below dir.
func Read(dir string) (*Repository, error) {
	r := &Repository{by: map[string]int{}}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != dir && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		r.files = append(r.files, file{path: filepath.ToSlash(rel), text: text, lower: bytes.ToLower(text)})
		return err
	})
	slices.SortFunc(r.files, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	for i := range r.files {
		f := &r.files[i]
		r.by[f.path] = i
		for at, b := range f.text {
			if b == '\n' {
				f.ends = append(f.ends, at)
			}
		}
		if n := len(f.text); n > 0 && f.text[n-1] != '\n' {
			f.ends = append(f.ends, n)
		}
	}
	return r, err
}

// Has reports whether the repository has a file.
func (r *Repository) Has(path string) bool {
	_, ok := r.by[path]
	return ok
}

// Line returns a line of a file, 1-based; "" where there is none.
func (r *Repository) Line(path string, n int) string {
	i, ok := r.by[path]
	if !ok || n < 1 || n > len(r.files[i].ends) {
		return ""
	}
	return r.files[i].line(n)
}

// line returns a line, 1-based.
func (f *file) line(n int) string {
	from := 0
	if n > 1 {
		from = f.ends[n-2] + 1
	}
	return strings.TrimSuffix(string(f.text[from:f.ends[n-1]]), "\r")
}

// search describes a run of ripgrep. A matching line contains one of the words and matches the
// pattern. Without words, every line that matches the pattern does; words make the search fast.
type search struct {
	words   []string
	pattern *regexp.Regexp         // pattern of the search; nil means a search for words
	fold    bool                   // ignore case; words and pattern are lower case
	files   func(path string) bool // reports whether a file is searched; nil: all are
}

// hit is a matching line.
type hit struct {
	file int
	line int
}

// find returns the matching lines, by path and line.
func (r *Repository) find(s search) (out []hit) {
	for i := range r.files {
		f := &r.files[i]
		if s.files == nil || s.files(f.path) {
			for _, n := range f.find(s) {
				out = append(out, hit{i, n})
			}
		}
	}
	return out
}

// find returns the numbers of the matching lines, 1-based and ascending.
func (f *file) find(s search) (lines []int) {
	text := f.text
	if s.fold && len(f.lower) == len(f.text) { // rare letters change their length
		text = f.lower
	}
	for _, word := range s.words {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(word))
			if i < 0 {
				break
			}
			n, _ := slices.BinarySearch(f.ends, at+i)
			lines = append(lines, n+1)
			if n >= len(f.ends) {
				break
			}
			if at = f.ends[n] + 1; at >= len(text) {
				break
			}
		}
	}
	if len(s.words) == 0 {
		for n := range f.ends {
			lines = append(lines, n+1)
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if s.pattern == nil {
		return lines
	}
	return slices.DeleteFunc(lines, func(n int) bool {
		line := f.line(n)
		if s.fold {
			line = strings.ToLower(line)
		}
		return !s.pattern.MatchString(line)
	})
}

// ranked returns the files of hits and the number of hits of each. Files with
// the most hits come first, then the order is by path.
func ranked(hits []hit) (files []int, count map[int]int) {
	count = map[int]int{}
	for _, h := range hits {
		if count[h.file]++; count[h.file] == 1 {
			files = append(files, h.file)
		}
	}
	slices.SortStableFunc(files, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	return files, count
}

// Columns is the length in characters to which matching lines are cut.
const Columns = 120

// cut returns a line cut to Columns characters.
func cut(line string) string {
	runes := 0
	for at := range line {
		if runes++; runes > Columns {
			return line[:at]
		}
	}
	return line
}

// printed is the output of a command, and the lines of files that it shows.
type printed struct {
	text  strings.Builder
	shown []place
}

// place is a range of lines of a file, inclusive.
type place struct {
	path     string
	from, to int
}

// hits prints lines in the form of "rg -n … | cut -c1-120". If only one file was searched
// (single), it omits the path.
func (p *printed) hits(r *Repository, hits []hit, single bool) {
	for _, h := range hits {
		f := &r.files[h.file]
		line := fmt.Sprintf("%d:%s", h.line, f.line(h.line))
		if !single {
			line = f.path + ":" + line
		}
		p.text.WriteString(cut(line) + "\n")
		p.shown = append(p.shown, place{f.path, h.line, h.line})
	}
}

// around prints hits with lines before and after, as "rg -n -B … -A …" does for
// one file.
func (p *printed) around(f *file, lines []int, before, after int) {
	last := 0
	for i, n := range lines {
		from, to := max(n-before, last+1), min(n+after, len(f.ends))
		if i+1 < len(lines) {
			to = min(to, lines[i+1]-1) // the next hit prints the lines after it
		}
		if last > 0 && from > last+1 {
			p.text.WriteString("--\n")
		}
		for at := from; at <= to; at++ {
			mark := "-"
			if at == n {
				mark = ":"
			}
			fmt.Fprintf(&p.text, "%d%s%s\n", at, mark, f.line(at))
		}
		p.shown = append(p.shown, place{f.path, from, max(from, to)})
		last = max(last, to)
	}
}

// window prints lines as "sed -n 'from,top' file" does.
func (p *printed) window(f *file, from, to int) {
	for n := from; n <= min(to, len(f.ends)); n++ {
		p.text.WriteString(f.line(n) + "\n")
	}
	p.shown = append(p.shown, place{f.path, from, to})
}
