package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sextant/cmd/dev/internal/quality"
	"sextant/internal/code"
	"sextant/internal/lang"
	"sextant/internal/workspace"
	"sextant/l1fts/embed"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// pair is one declaration with its doc comment, which serves as a question that the declaration
// answers. A pair without a doc comment is only a candidate answer in the evaluation.
type pair struct {
	Language  string `json:"l"`
	Sentence  string `json:"s,omitempty"` // first sentence of the doc comment, without the declaration's name
	Paragraph string `json:"p,omitempty"` // first paragraph, if it is more than the sentence
	Name      string `json:"n"`
	Signature string `json:"g"`
	Path      string `json:"f"`
	Body      string `json:"b"`

	repository string // set only in pairs that are trained on
}

func (p *pair) document() embed.Document {
	return embed.Document{Name: p.Name, Signature: p.Signature, Path: p.Path, Body: p.Body}
}

// maxBodyBytes is the largest number of bytes of a body. It exceeds the part that the embedder
// uses.
const maxBodyBytes = 6 << 10

// pairsOf returns the pairs of a source. It reads the file that an earlier run
// with the same extractor version left in dir, or else extracts the pairs and
// writes that file.
func pairsOf(ctx context.Context, s quality.Source, corpus, dir string) ([]pair, error) {
	file := filepath.Join(dir, fmt.Sprintf("%s@%s.x%d.jsonl.gz", s.FileName(), s.Commit, l2meta.ExtractorVersion))
	if list, err := readPairs(file); !errors.Is(err, fs.ErrNotExist) {
		return list, err
	}
	list, err := extractPairs(ctx, s, corpus, languages.Extract)
	if err != nil {
		return nil, err
	}
	return list, writePairs(file, list)
}

// extractPairs extracts the pairs of a source. It returns an error if a time limit cut off parsing,
// since the result would then depend on the machine.
func extractPairs(ctx context.Context, source quality.Source, corpus string,
	extract quality.Extractor) ([]pair, error) {
	var list []pair
	err := blobs(ctx, source, corpus, wanted, func(path string, text []byte) error {
		if head := text[:min(len(text), 4096)]; workspace.Classify(path, head) != code.ClassSource ||
			workspace.Binary(head) {
			return nil
		}
		f, err := extract(path, text)
		if err != nil {
			return err
		}
		if !f.Parsed || f.BadBytes*4 > len(f.Text) {
			return nil // the file is mostly not code
		}
		for i := range f.Symbols {
			if p, ok := pairOf(&f, i); ok && (p.Sentence != "" || source.Split != quality.Train) {
				list = append(list, p)
			}
		}
		return ctx.Err()
	})
	return list, err
}

// wanted reports whether the file at path may contain functions.
func wanted(path string) bool {
	l, ok := lang.Detect(path)
	return ok && (l.Depth == lang.Calls || l.Program) && workspace.Classify(path, nil) == code.ClassSource
}

// pairOf returns the pair of symbol i; false if that is neither a function nor
// a type.
func pairOf(file *code.File, i int) (pair, bool) {
	symbol := &file.Symbols[i]
	if symbol.Name == "" || symbol.Kind == code.KindTest || !symbol.Kind.Callable() && !isType(symbol.Kind) {
		return pair{}, false
	}
	body := bodyOf(file, i)
	if symbol.Kind.Callable() && len(strings.TrimSpace(body)) < 3 {
		return pair{}, false // a declaration without a body
	}
	owner := ""
	if at := strings.LastIndexByte(symbol.QualifiedName, '.'); at >= 0 {
		owner = symbol.QualifiedName[:at]
	}
	p := pair{
		Language: file.Language, Name: symbol.Name, Signature: strings.TrimSpace(owner + " " + symbol.Signature),
		Path: file.Path,
		Body: strings.ToValidUTF8(body[:min(len(body), maxBodyBytes)], ""),
	}
	p.Sentence, p.Paragraph = quality.DocQueries(symbol.Doc, symbol.Name)
	return p, true
}

func isType(k code.Kind) bool {
	switch k {
	case code.KindClass, code.KindInterface, code.KindStruct, code.KindEnum, code.KindTrait:
		return true
	}
	return false
}

// bodyOf returns the body of a function without its docstring, or the text of a
// type without that of the functions and types in it.
func bodyOf(file *code.File, i int) string {
	s := &file.Symbols[i]
	if s.Kind.Callable() {
		body := string(file.Text[s.Body[0]:s.Body[1]])
		if file.Language == "python" {
			body = withoutDocstring(body)
		}
		return body
	}
	var out []byte
	at, end := s.NameSpan.EndByte, s.Span.EndByte
	for j := i + 1; j < len(file.Symbols) && file.Symbols[j].Span.StartByte < end; j++ {
		if c := &file.Symbols[j]; (c.Kind.Callable() || isType(c.Kind)) && c.Span.StartByte >= at {
			out = append(append(append(out, file.Text[at:c.Span.StartByte]...), c.Name...), '\n')
			at = c.Span.EndByte
		}
	}
	if at < end {
		out = append(out, file.Text[at:end]...)
	}
	body := string(out)
	if file.Language == "python" {
		body = withoutDocstring(strings.TrimPrefix(body, ":"))
	}
	return withoutComments(body, file.Language)
}

// withoutDocstring removes the string that a Python body begins with.
func withoutDocstring(body string) string {
	text := strings.TrimLeft(strings.TrimLeft(body, " \t\r\n:"), "rRuUbB")
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if rest, ok := strings.CutPrefix(text, quote); ok {
			if _, after, ok := strings.Cut(rest, quote); ok {
				return after
			}
		}
	}
	return body
}

// withoutComments removes the lines that are comments. In the text of a type these are the doc
// comments of its members.
func withoutComments(text, language string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "//") || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "/*") ||
			strings.HasPrefix(t, "#") && language != "csharp" && language != "cpp" && language != "c" &&
				language != "rust" {
			continue
		}
		out.WriteString(line)
	}
	return out.String()
}

// readPairs reads a file written by writePairs.
func readPairs(file string) (list []pair, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(z); d.More(); {
		var p pair
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// writePairs writes file atomically.
func writePairs(file string, list []pair) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.Create(file + ".part")
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err == nil {
			err = os.Rename(file+".part", file)
		}
	}()
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false)
	for i := range list {
		if err := e.Encode(&list[i]); err != nil {
			return err
		}
	}
	return z.Close()
}
