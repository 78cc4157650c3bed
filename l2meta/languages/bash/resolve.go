package bash

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Language resolves commands that call functions: functions of the file, and of files that it
// sources by a literal path or relative to its own directory. A command calls the function that was
// defined last when it runs: a command at the top level of a file sees the definitions above it, a
// command in a function sees all.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	if c.Receiver != "" { // sudo deploy, env deploy: rules.go stores the first command as the receiver
		return resolve.ExternalTo("command")
	}
	before := c.NameSpan.StartByte
	if f.Callable(c.Caller) >= 0 {
		before = -1
	}
	d := defined(w, f, c.Callee, before)
	switch {
	case d.twice:
		return resolve.Unresolved("defined more than once in " + d.ref.File.Path)
	case d.ref.Valid() && d.ref.File == f:
		return resolve.Resolved(d.ref, resolve.SameFile, "the function of the file")
	case d.ref.Valid():
		return resolve.Resolved(d.ref, resolve.Imported, "sourced from "+d.ref.File.Path)
	case d.unknown != "":
		return resolve.Unresolved("not known what " + d.unknown + " is, which is sourced")
	}
	return resolve.ExternalTo("command")
}

// definition is the result of looking up a function name at a byte offset of a script. The zero
// value means that nothing defines it.
type definition struct {
	ref     resolve.Ref
	twice   bool
	unknown string // a sourced path that cannot be followed
}

type key struct {
	file   int64
	name   string
	before int
}

// defined returns the last definition of the function name that f, or a file that f sources, makes
// before byte pos. If pos is -1, all definitions count.
func defined(w *resolve.World, f *resolve.File, name string, pos int) definition {
	return resolve.Derive(w, key{f.ID, name, pos}, func() (out definition) {
		at := -1
		for _, i := range f.Named(name) {
			s := &f.Symbols[i]
			if s.Kind != code.KindFunction && s.Kind != code.KindTest || pos >= 0 && s.Span.StartByte > pos {
				continue
			}
			out.twice = out.ref.Valid()
			out.ref, at = f.Ref(i), max(at, s.Span.StartByte)
		}
		for _, m := range f.Imports {
			if pos >= 0 && m.Span.StartByte > pos {
				continue
			}
			g := sourced(w, f, m.Module)
			if g == nil {
				out.unknown = m.Module
				continue
			}
			if d := defined(w, g, name, -1); d.ref.Valid() && m.Span.StartByte > at {
				out.ref, out.twice, at = d.ref, d.twice, m.Span.StartByte
			} else if d.unknown != "" {
				out.unknown = d.unknown
			}
		}
		return out
	})
}

var (
	// here matches the script's own directory: $(dirname "$0"), or
	// $(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd). stem matches ${0%/*}, the same directory.
	here = regexp.MustCompile(
		`^"?(?:\$\(cd (?:-P )?(?:-- )?"?)?\$\(dirname (?:-- )?"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?\)"?((?:/\.\.)*)"?(?: (?:&&|;)? ?pwd(?: -P)?)?(?: >/dev/null)?(?: 2>&1)?(?: (?:&&|;)? ?pwd(?: -P)?)?\)?"?$`)
	stem   = regexp.MustCompile(`^"?\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}((?:/\.\.)*)"?$`)
	folder = regexp.MustCompile(`^\$\{?([A-Za-z_]\w*)\}?$`)
)

// sourced returns the file that f sources by a path, as written; nil if the path depends on unknown
// variables or no such file is indexed.
func sourced(w *resolve.World, f *resolve.File, module string) *resolve.File {
	if !strings.ContainsAny(module, "$`*?~") {
		// The shell resolves relative paths in its working directory: probably the script's
		// directory, or the top of the workspace.
		here, top := w.File(path.Join(f.Dir, module)), w.File(path.Clean(module))
		if here == nil || here == f {
			return top
		}
		return here
	}
	slash := strings.LastIndex(module, ")/")
	if slash = max(slash, strings.LastIndex(module, "}/")); slash < 0 {
		slash = strings.IndexByte(module, '/') - 1
	}
	if slash < 0 || strings.ContainsAny(module[slash+1:], "$`*?") {
		return nil
	}
	up, ok := directory(f, module[:slash+1], 0)
	if !ok {
		return nil
	}
	return w.File(path.Join(f.Dir, "."+up, module[slash+1:]))
}

// directory returns how many folders a path in a script leads up from the script's own directory,
// as a suffix: "/.." for $(dirname "$0")/.., or for a variable with that value. It reports false if
// text is another path.
func directory(f *resolve.File, text string, depth int) (up string, ok bool) {
	if m := here.FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	if m := stem.FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	m := folder.FindStringSubmatch(text)
	if m == nil || depth > 2 { // DIR=$DIR would recurse without end
		return "", false
	}
	var found []string
	for _, fact := range f.AllFacts() {
		if fact.Kind == code.FactAssign && fact.Name == m[1] {
			up, ok := directory(f, fact.Type, depth+1)
			if !ok {
				return "", false
			}
			found = append(found, up)
		}
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(s string) bool { return s != found[0] }) {
		return "", false
	}
	return found[0], true
}

func (Language) Implementations(*resolve.World, resolve.Ref) []resolve.Ref { return nil }
func (Language) Overridden(*resolve.World, resolve.Ref) []resolve.Ref      { return nil }
func (Language) Admits(*resolve.World, resolve.Ref, resolve.Ref) bool      { return false }

func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string { return []string{r.Symbol().Name} }

func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) []*resolve.File {
	return []*resolve.File{sourced(w, f, i.Module)}
}
