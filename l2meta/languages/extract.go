package languages

import (
	"fmt"

	"sextant/internal/code"
	"sextant/internal/lang"
	"sextant/l2meta/manifest"
	"sextant/l2meta/proxies"
	"sextant/l2meta/services"
	"sextant/l2meta/syntax"
)

// Extract extracts the facts of one file from its text. path is relative to the root; it determines
// the language together with the first line. For a text without a grammar it returns a File with
// Parsed false, no symbols and no error. If the parser or the rules give up, it returns such a File
// and an error.
//
// Extract is pure, and safe for concurrent use. The text must not be modified afterwards. The
// caller sets Class and Hash.
func Extract(path string, text []byte) (code.File, error) {
	name := languageOf(path, text)
	lines := code.NewLineIndex(text)
	plain := code.File{Path: path, Language: name, Text: text, Lines: lines.Count(), Facts: manifest.Facts(path, text)}
	plain.Facts = append(plain.Facts, proxies.Facts(path, text)...)
	g := grammarOf(name, path, text)
	if g == nil { // application.properties
		plain.Facts = append(plain.Facts, services.Facts(&plain, nil)...)
		return plain, nil
	}
	t, err := g.Parse(text)
	if err != nil {
		return givenUp(plain, g), fmt.Errorf("extract %s: %w", path, err)
	}
	w := syntax.NewWalk(t, path, name, lines)
	w.Out.Lines, w.Grammars = lines.Count(), grammarOf
	f, err := w.Read()
	if err != nil {
		return givenUp(plain, g), fmt.Errorf("extract %s: %w", path, err)
	}
	f.Facts = append(f.Facts, plain.Facts...)
	symbols := len(f.Symbols)
	f.Facts = append(f.Facts, services.Facts(&f, idioms[name])...)
	if len(f.Symbols) > symbols {
		syntax.SortSymbols(&f)
	}
	return f, nil
}

// givenUp returns f, marked as a file that may declare any name, because the parser or the rules of
// g gave up on its text.
func givenUp(f code.File, g *syntax.Grammar) code.File {
	f.BadBytes = len(f.Text)
	if g.Rules.Hidden != nil {
		f.Facts = append(f.Facts, code.Fact{Kind: code.FactHidden, Owner: -1, Name: code.AnyName})
	}
	return f
}

// languageOf returns the language of a text, "" if it is unknown.
func languageOf(path string, text []byte) string {
	l, ok := lang.DetectText(path, text[:min(len(text), 256)])
	if !ok {
		return ""
	}
	if s := sources[l.Name]; s.Dialect != nil {
		return s.Dialect(path, text)
	}
	return l.Name
}
