package ruby

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// anyPart represents, in a pattern for method names, the part of a name that is only known at run
// time: the pattern for define_method("add_#{kind}") is "add_#{}".
const anyPart = "#{}"

var (
	definers = regexp.MustCompile(
		`\b(?:define_method|define_singleton_method|alias_method|attr_\w+|def_\w*delegators?|delegate)\b(.*)`)
	evaluated    = regexp.MustCompile(`\bdef\s+(?:self\.)?((?:\w|#\{[^}\n]*\})+[?!=]?)`)
	texts        = regexp.MustCompile(`["']((?:\w|#\{[^}\n]*\})+[?!=]?)["']`)
	interpolated = regexp.MustCompile(`#\{[^}]*\}`)
	reflection   = regexp.MustCompile(`\b(?:instance_methods|singleton_methods|public_methods)\b`)
)

// makeNames records the methods that the file defines from text, as FactHidden. The name of the
// fact is the method's name or a pattern for it:
//
//	define_method("add_#{kind}") { … }                   add_#{}
//	class_eval "def #{name}?; @#{name}; end"             #{}?
//	Array.instance_methods.each { |m| define_method m }  #{}
func makeNames(w *syntax.Walk) {
	made := map[string]bool{}
	holds := func(text string) bool { return bytes.Contains(w.Text, []byte(text)) }
	if holds("#{") {
		for _, m := range definers.FindAllSubmatch(w.Text, -1) {
			for _, p := range texts.FindAllSubmatch(m[1], -1) {
				made[patternOf(string(p[1]))] = true
			}
		}
	}
	if holds("_eval") {
		for _, m := range evaluated.FindAllSubmatch(w.Text, -1) {
			made[patternOf(string(m[1]))] = true
		}
	}
	if holds("_methods") && reflection.Match(w.Text) && definers.Match(w.Text) {
		made[anyPart] = true
	}
	for i := range w.Out.Symbols {
		delete(made, w.Out.Symbols[i].Name)
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		w.Out.Facts = append(w.Out.Facts, code.Fact{Kind: code.FactHidden, Owner: -1, Name: name})
	}
}

// patternOf returns a pattern for the names to which an interpolated text may evaluate: the words
// before its first unknown part, "add_#{}", else the words after the last one, "#{}_url", else
// anyPart. It returns a text without unknown parts unchanged.
func patternOf(text string) string {
	parts := interpolated.Split(text, -1)
	if len(parts) == 1 {
		return text
	}
	before, behind := parts[0], parts[len(parts)-1]
	if end := strings.LastIndexByte(before, '_'); end > 0 {
		return before[:end+1] + anyPart
	}
	if start := strings.IndexByte(behind, '_'); start >= 0 && start+1 < len(behind) {
		return anyPart + behind[start:]
	}
	if end := len(behind) - 1; end >= 0 && strings.IndexByte("?!=", behind[end]) >= 0 {
		return anyPart + behind[end:]
	}
	return anyPart
}
