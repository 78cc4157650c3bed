package proof

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// judgingRules is the version of the rules in this file, including how package l3lsp
// reads the answers of servers. A stored verdict is valid only under the rules that made
// it: raise the version whenever they change.
const judgingRules = "rules 2"

// judging converts the answers of a language server to verdicts, the form in which the index stores them.
//
// A confirmation always counts. A contradiction counts only if the server is ready, and names one
// declaration that the index knows or a place outside of the workspace. All other answers leave the call
// as syntax resolved it: an empty answer, an error, the line of an import, a generated file that is not
// indexed, several places.
type judging struct {
	*Inquiry
	links      *Linker
	ready      bool
	whole      bool // whether there was time for every answer, so that a missing one is an error of the server
	now        int64
	generation int64
}

// call converts the answer to the question where a call's function is declared (AskDefinition) to a
// verdict on the call site, and stores it in j.said.
func (j *judging) call(q *Question, a *Answer) error {
	if !a.Asked && !(j.whole && j.ready) {
		return nil
	}
	v := l2meta.Verdict{Syntax: q.syntax, At: j.now}
	found, err := j.places(a.Locations)
	if err != nil {
		return err
	}
	var to resolve.Ref
	for _, ref := range found.inside {
		if q.expect.File != nil && samePlace(q.expect, ref) {
			to = ref
		}
	}
	found.narrow(q.callee)
	switch {
	case to.File != nil:
	case !j.ready:
		return nil
	case found.vague || found.anonymous || len(found.inside) > 1 || found.outside && len(found.inside) > 0:
		v.Unknown = true
	case len(found.inside) == 1:
		to, err = found.inside[0], j.plausible(q, found.inside[0], &v)
	case found.outside && !installedCopy(q.expect, a.Locations):
		v.Module = found.module
	default:
		v.Unknown = true
	}
	if to.File != nil && !v.Unknown {
		v.Target, v.Hash, v.Offset = to.File.Path, to.File.Hash, to.Symbol().NameSpan.StartByte
	}
	j.file(q).Sites[q.offset] = v
	j.settled++
	return err
}

// installedCopy reports whether a location is the installed copy of the expected
// declaration's file in a Python environment. A server that does not know the source tree
// names that copy, which proves nothing about the source.
func installedCopy(expect resolve.Ref, locations []Location) bool {
	if expect.File == nil {
		return false
	}
	for _, at := range locations {
		for _, library := range []string{"/site-packages/", "/dist-packages/"} {
			_, file, ok := cutLast(filepath.ToSlash(at.Path), library)
			if ok && strings.HasSuffix("/"+expect.File.Path, "/"+file) {
				return true
			}
		}
	}
	return false
}

// plausible sets v.Unknown if the declaration that the server named, to, has another name than the call,
// unless the calling file renames an import. A server that works on older bytes may return a place at
// which another declaration is now.
func (j *judging) plausible(q *Question, to resolve.Ref, v *l2meta.Verdict) error {
	s := to.Symbol()
	if s.Name == q.callee || s.Kind == code.KindConstructor && s.Parent >= 0 &&
		to.File.Symbols[s.Parent].Name == q.callee {
		return nil
	}
	f, err := j.links.Resolver.File(q.Path)
	if err != nil || f == nil {
		v.Unknown = true
		return err
	}
	v.Unknown = true
	for i := range f.Imports {
		if f.Imports[i].Alias == q.callee || f.Imports[i].Name == "default" {
			v.Unknown = false
		}
	}
	return nil
}

// file returns the verdicts of this answer on the file of a question, at first none. The caller adds to
// their maps.
func (j *judging) file(q *Question) l2meta.Verdicts {
	f, ok := j.said[q.Path]
	if !ok {
		f = l2meta.Verdicts{File: q.hash, Basis: j.text, Server: j.State.Server, Sites: map[int]l2meta.Verdict{},
			Named: map[int]l2meta.Naming{}, Implemented: map[int]l2meta.Implementing{}}
		j.said[q.Path] = f
	}
	return f
}

// places summarizes the locations of an answer.
type places struct {
	inside    []resolve.Ref // declarations in the workspace, each once
	outside   bool          // whether some locations are outside of the workspace
	module    string        // module of the last location outside
	anonymous bool          // whether some locations in indexed files are no named declaration
	vague     bool          // whether some locations are in files whose indexed bytes differ, or that are not indexed
}

// narrow reduces p.inside to the declaration called name, if there is exactly one. For a property of a
// function type, as in "interface T { run: () => void }", a server names both the property and the
// signature.
func (p *places) narrow(name string) {
	if p.vague || p.outside {
		return
	}
	var named []resolve.Ref
	for _, ref := range p.inside {
		if ref.Symbol().Name == name {
			named = append(named, ref)
		}
	}
	if len(named) == 1 {
		p.inside, p.anonymous = named, false
	}
}

// places resolves the locations of an answer to declarations. It drops locations without a
// declaration.
func (j *judging) places(locations []Location) (out places, err error) {
	for _, at := range locations {
		file, within := relativeTo(j.root.Path(), at.Path)
		if !within || strings.Contains("/"+file, "/node_modules/") {
			out.outside, out.module = true, moduleAt(at.Path)
			continue
		}
		f, err := j.links.Resolver.File(file)
		if err != nil {
			return out, err
		}
		t := j.texts.of(file)
		if f == nil || t == nil || t.hash != f.Hash {
			out.vague = true
			continue
		}
		i := declared(f, t.bytes, &at)
		if i < 0 {
			out.anonymous = true
			continue
		}
		if ref := (resolve.Ref{File: f, Index: defined(f, i)}); !containsPlace(out.inside, ref) {
			out.inside = append(out.inside, ref)
		}
	}
	return out, nil
}

// declared returns the index in f.Symbols of the declaration to which a location refers.
// The location is that of the declaration's name, of its first byte, or of a function
// that is assigned to the name. It returns -1 if there is no such declaration.
func declared(f *resolve.File, text []byte, at *Location) int {
	if i := f.Declared(at.Offset, at.Line); i >= 0 {
		s := &f.Symbols[i]
		if start := s.NameSpan.StartByte; at.Offset == s.Span.StartByte ||
			start <= at.Offset && at.Offset < start+len(s.Name) {
			return i
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if end := s.NameSpan.StartByte + len(s.Name); end < at.Offset && at.Offset < s.Span.EndByte &&
			s.Kind.Callable() && assigns(text[end:at.Offset]) {
			return i
		}
	}
	return -1
}

// assigns reports whether the text between a name and a function is "=" or ":", so that
// the function is assigned to the name.
func assigns(between []byte) bool {
	sign := bytes.TrimSpace(between)
	return len(sign) == 1 && (sign[0] == '=' || sign[0] == ':')
}

// defined returns the index of the implementation to which the overload signature i
// belongs. It returns i if i is no such signature. A server returns the signature that
// fits the arguments.
func defined(f *resolve.File, i int) int {
	s := &f.Symbols[i]
	signature := func(s *code.Symbol) bool {
		if mark := languages.All[f.Language].OverloadMark; mark != "" {
			return slices.ContainsFunc(s.Annotations, func(a string) bool { return strings.HasSuffix(a, mark) })
		}
		return s.Body == [2]int{}
	}
	if !languages.All[f.Language].Redeclares || !s.Kind.Callable() || !signature(s) {
		return i
	}
	for _, k := range f.Qualified(s.QualifiedName) {
		if other := &f.Symbols[k]; other.Kind == s.Kind && other.Parent == s.Parent && !signature(other) {
			return k
		}
	}
	return i
}

// containsPlace reports whether a reference in list is to the same declaration as ref.
func containsPlace(list []resolve.Ref, ref resolve.Ref) bool {
	for _, r := range list {
		if samePlace(r, ref) {
			return true
		}
	}
	return false
}

// samePlace reports whether two references, possibly of different snapshots, are to the
// same declaration.
func samePlace(a, b resolve.Ref) bool {
	if a.File.Path != b.File.Path || a.File.Hash != b.File.Hash || a.Index < 0 {
		return false
	}
	return same(resolve.Ref{File: b.File, Index: a.Index}, b)
}

// maxNamed is the largest number of places that are read from an answer on references.
const maxNamed = 5000

// naming stores a server's answer on the references to a symbol. It keeps the references that are
// the callee of a call. Which declaration each of these calls runs is a separate question.
func (j *judging) naming(q *Question, a *Answer) error {
	if !j.ready || !a.Asked && !j.whole {
		return nil
	}
	n := l2meta.Naming{Generation: j.generation, At: j.now}
	for _, at := range a.Locations[:min(len(a.Locations), maxNamed)] {
		file, within := relativeTo(j.root.Path(), at.Path)
		if !within || at.Offset < 0 {
			continue
		}
		s, ok, err := j.links.siteAt(file, at.Offset)
		if err != nil {
			return err
		}
		if t := j.texts.of(file); ok && t != nil && t.hash == s.File.Hash {
			n.Sites = append(n.Sites, l2meta.NamedAt{Path: file, Offset: at.Offset})
		}
	}
	j.file(q).Named[q.offset] = n
	j.settled++
	return nil
}
