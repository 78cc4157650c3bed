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

// Extract reads the facts of one file from its text. path is relative to the
// root and tells the language together with the first line. A text without a
// grammar gives a File with Parsed false, no symbols and no error; so does a
// text that the parser or the rules gave up on, with an error that says so.
//
// Extract is pure, and safe for concurrent use. The text must not be modified
// afterwards; Class and Hash are the caller's to fill in.
func Extract(path string, text []byte) (code.File, error) {
	name := languageOf(path, text)
	lines := code.NewLineIndex(text)
	plain := code.File{Path: path, Language: name, Text: text, Lines: lines.Count(), Facts: manifest.Facts(path, text)}
	plain.Facts = append(plain.Facts, proxies.Facts(path, text)...)
	g := grammarOf(name, path)
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

// givenUp returns what is known of a file that the parser or the rules of g gave up:
// that it may declare anything.
func givenUp(f code.File, g *syntax.Grammar) code.File {
	f.BadBytes = len(f.Text)
	if g.Rules.Hidden != nil {
		f.Facts = append(f.Facts, code.Fact{Kind: code.FactHidden, Owner: -1, Name: code.AnyName})
	}
	return f
}

// languageOf returns the language that a text is read as; "" when it is not known.
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
