package pack2

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse reads one document, which b holds whole. Frame bodies are slices of
// b; all else is copied. An error names the 1-based line of b and what was
// expected there. Any input is safe.
func Parse(b []byte) (*Document, error) {
	p := parser{rest: b, next: 1}
	d, err := p.document()
	if err != nil {
		return nil, fmt.Errorf("parse pack2: line %d: %w", p.line, err)
	}
	return d, nil
}

type parser struct {
	rest []byte
	line int // of what is being read, for errors
	next int // the line that rest starts on
}

func (p *parser) document() (*Document, error) {
	text, err := p.readLine()
	if err != nil {
		return nil, err
	}
	header, err := parseLine(text)
	if err != nil {
		return nil, err
	}
	if header.Key != magic {
		return nil, fmt.Errorf("want %s at the start, have %s", magic, excerpt(header.Key))
	}
	if f := header.Fields; len(f) != 2 || f[0].Start+f[1].Start != 0 || !isWord(f[0].Text) || !isWord(f[1].Text) {
		return nil, errors.New("want a tool and a status in the header")
	}
	d := &Document{Tool: header.Fields[0].Text, Status: header.Fields[1].Text, Attrs: header.Attrs, Message: header.Text}
	for len(p.rest) > 0 {
		if text, err = p.readLine(); err != nil {
			return nil, err
		}
		if inner, ok := strings.CutPrefix(text, frameOpen); ok {
			f, err := p.frame(inner)
			if err != nil {
				return nil, err
			}
			d.Frames = append(d.Frames, f)
			continue
		}
		if len(d.Frames) > 0 {
			return nil, fmt.Errorf("want a frame or the end after a frame, have %s", excerpt(text))
		}
		l, err := parseLine(text)
		if err != nil {
			return nil, err
		}
		d.Lines = append(d.Lines, l)
	}
	return d, nil
}

// readLine takes the next line off rest, without its LF.
func (p *parser) readLine() (string, error) {
	p.line = p.next
	line, rest, _ := bytes.Cut(p.rest, []byte{'\n'})
	p.rest, p.next = rest, p.next+1
	if !utf8.Valid(line) {
		return "", errors.New("want UTF-8 outside frames")
	}
	return string(line), nil
}

// frame reads a frame whose head is inner, without "<<<<".
func (p *parser) frame(inner string) (Frame, error) {
	inner, ok := strings.CutSuffix(inner, frameClose)
	head, tail, _ := strings.Cut(inner, " ")
	kind, digits, _ := strings.Cut(head, ":")
	size, isNumber := number(digits)
	if !ok || !isNumber || kind != kindRaw && kind != kindText {
		return Frame{}, fmt.Errorf("want <<<<RAW:LENGTH PATH>>>> or <<<<TEXT:LENGTH NAME>>>>, have %s", excerpt(frameOpen+inner))
	}
	l, err := parseRest(Line{}, tail)
	if err != nil {
		return Frame{}, err
	}
	f := Frame{Attrs: l.Attrs}
	if kind == kindText && len(l.Fields) > 0 && l.Fields[0].Start == 0 && isWord(l.Fields[0].Text) {
		f.Name, l.Fields = l.Fields[0].Text, l.Fields[1:]
	}
	if (kind == kindText) != (f.Name != "") {
		return Frame{}, errors.New("want the name of the text, of letters, digits and _, behind its length")
	}
	if len(l.Fields) > 1 || len(l.Fields) == 0 && f.Name == "" || l.Text != "" {
		return Frame{}, errors.New("want one path or place in the frame's head")
	}
	if len(l.Fields) == 1 {
		if l.Fields[0].Text == "" {
			return Frame{}, errors.New("want a path that is not empty")
		}
		f.Path, f.Start, f.End = l.Fields[0].Text, l.Fields[0].Start, l.Fields[0].End
	}
	f.Body, err = p.body(size)
	return f, err
}

// body takes size bytes and the end marker off rest.
func (p *parser) body(size int) ([]byte, error) {
	if size > len(p.rest) {
		return nil, fmt.Errorf("want %d bytes of body, have %d", size, len(p.rest))
	}
	var body []byte
	if size > 0 {
		body = p.rest[:size:size]
	}
	p.rest = p.rest[size:]
	p.next += bytes.Count(body, []byte{'\n'})
	if size > 0 && body[size-1] != '\n' {
		p.line = p.next
		if len(p.rest) == 0 || p.rest[0] != '\n' {
			return nil, fmt.Errorf("want the line to end after a body of %d bytes", size)
		}
		p.rest = p.rest[1:]
		p.next++
	}
	end, err := p.readLine()
	if err == nil && end != frameEnd {
		err = fmt.Errorf("want %s after a body of %d bytes, have %s", frameEnd, size, excerpt(end))
	}
	return body, err
}

func parseLine(s string) (Line, error) {
	key, rest, _ := strings.Cut(s, " ")
	if !isWord(key) {
		return Line{}, fmt.Errorf("want a key of letters, digits and _, have %s", excerpt(s))
	}
	l, err := parseRest(Line{Key: key}, rest)
	if err != nil {
		return Line{}, err
	}
	return l, checkShape(l)
}

// parseRest reads the fields, attributes and text of s into l.
func parseRest(l Line, s string) (Line, error) {
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return l, nil
		}
		if rest, ok := strings.CutPrefix(s, textMark); ok && (rest == "" || rest[0] == ' ') {
			var err error
			l.Text, err = parseText(strings.Trim(rest, " "))
			return l, err
		}
		var err error
		if name, value, ok := cutName(s); ok {
			var a Attr
			if a, s, err = parseValue(name, value); err == nil {
				err = checkAttr(l.Attrs, a)
			}
			l.Attrs = append(l.Attrs, a)
		} else if len(l.Attrs) > 0 {
			err = fmt.Errorf("want NAME=VALUE after the first attribute, have %s", excerpt(s))
		} else {
			var f Field
			f, s, err = parseField(s)
			l.Fields = append(l.Fields, f)
		}
		if err == nil && s != "" && s[0] != ' ' {
			err = fmt.Errorf("want a space before %s", excerpt(s))
		}
		if err != nil {
			return Line{}, err
		}
	}
}

// cutName splits NAME= off s where s starts with it.
func cutName(s string) (name, value string, ok bool) {
	i := 0
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	if i == len(s) || s[i] != '=' || !isName(s[:i]) {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

func parseValue(name, s string) (Attr, string, error) {
	a := Attr{Name: name}
	var err error
	switch {
	case s != "" && s[0] == '"':
		a.Value, s, err = cutString(s)
		return a, s, err
	case s != "" && (s[0] == '{' || s[0] == '['):
		a.JSON = true
		a.Value, s, err = cutJSON(s)
		return a, s, err
	}
	a.Value, s = cutToken(s)
	if !isPath(a.Value) {
		return a, s, fmt.Errorf("value of %s: want A-Z a-z 0-9 . _ / @ + - or a JSON value, have %s", name, excerpt(a.Value))
	}
	a.JSON = isLiteral(a.Value)
	return a, s, nil
}

func parseField(s string) (Field, string, error) {
	if s[0] != '"' {
		token, rest := cutToken(s)
		if path, start, end, ok := cutLines(token); ok {
			if !isPath(path) {
				return Field{}, rest, fmt.Errorf("want a path of A-Z a-z 0-9 . _ / @ + - or a JSON string before the lines, have %s", excerpt(token))
			}
			return At(path, start, end), rest, nil
		}
		if !isPlain(token) {
			return Field{}, rest, fmt.Errorf("want printable characters without quote and =, or a JSON string, have %s", excerpt(token))
		}
		return Word(token), rest, nil
	}
	text, rest, err := cutString(s)
	if err != nil || rest == "" || rest[0] != ':' {
		return Word(text), rest, err
	}
	token, rest := cutToken(rest)
	_, start, end, ok := cutLines(token)
	if !ok || text == "" || strings.LastIndexByte(token, ':') != 0 {
		return Field{}, rest, fmt.Errorf("want a path and :FIRST or :FIRST-LAST, have %s%s", excerpt(text), excerpt(token))
	}
	return At(text, start, end), rest, nil
}

func parseText(s string) (string, error) {
	if s == "" {
		return "", errors.New("want text after " + textMark)
	}
	if s[0] != '"' {
		return s, nil
	}
	text, rest, err := cutString(s)
	if err == nil && (rest != "" || text == "") {
		err = fmt.Errorf("want one JSON string, not empty, as text, have %s", excerpt(s))
	}
	return text, err
}

// cutToken splits s before its first space.
func cutToken(s string) (token, rest string) {
	if i := strings.IndexByte(s, ' '); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}
