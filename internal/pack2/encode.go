package pack2

import (
	"errors"
	"fmt"
	"strconv"
)

const (
	magic      = "PACK2"
	frameOpen  = "<<<<"
	frameClose = ">>>>"
	frameEnd   = "<<<<END>>>>"
	kindRaw    = "RAW"
	kindText   = "TEXT"
)

// Append writes d in its canonical form behind b. Parse gives d back. An
// error names the part that cannot be written (a key with a space, a name
// twice in a line, text that is not UTF-8, a range that ends before it
// starts), and nothing is appended.
func Append(b []byte, d *Document) ([]byte, error) {
	if !isWord(d.Tool) || !isWord(d.Status) {
		return b, fmt.Errorf("encode pack2: want tool and status of letters, digits and _, have %q and %q", d.Tool, d.Status)
	}
	header := Line{Key: magic, Fields: []Field{Word(d.Tool), Word(d.Status)}, Attrs: d.Attrs, Text: d.Message}
	out, err := appendLine(b, header)
	if err != nil {
		return b, fmt.Errorf("encode pack2: header: %w", err)
	}
	for i, l := range d.Lines {
		if out, err = appendLine(out, l); err != nil {
			return b, fmt.Errorf("encode pack2: line %d: %w", i+2, err)
		}
	}
	for i := range d.Frames {
		if out, err = appendFrame(out, &d.Frames[i]); err != nil {
			return b, fmt.Errorf("encode pack2: frame %d: %w", i+1, err)
		}
	}
	return out, nil
}

func appendLine(b []byte, l Line) ([]byte, error) {
	if !isWord(l.Key) {
		return nil, fmt.Errorf("key %q: want letters, digits and _", l.Key)
	}
	if err := checkShape(l); err != nil {
		return nil, err
	}
	b = append(b, l.Key...)
	var err error
	for _, f := range l.Fields {
		if b, err = appendField(append(b, ' '), f); err != nil {
			return nil, err
		}
	}
	if b, err = appendAttrs(b, l.Attrs); err != nil {
		return nil, err
	}
	if l.Text != "" {
		if err := checkUTF8("text", l.Text); err != nil {
			return nil, err
		}
		b = append(b, ' ')
		b = append(b, textMark...)
		b = append(b, ' ')
		if isProse(l.Text) {
			b = append(b, l.Text...)
		} else {
			b = appendString(b, l.Text)
		}
	}
	return append(b, '\n'), nil
}

func appendField(b []byte, f Field) ([]byte, error) {
	if err := checkUTF8("field", f.Text); err != nil {
		return nil, err
	}
	if f.Start == 0 && f.End == 0 {
		if isPlain(f.Text) {
			return append(b, f.Text...), nil
		}
		return appendString(b, f.Text), nil
	}
	if f.Text == "" {
		return nil, errors.New("place without a path")
	}
	if f.Start < 1 || f.End < f.Start {
		return nil, fmt.Errorf("place %s: want 1-based lines in order, have %d-%d", f.Text, f.Start, f.End)
	}
	b = strconv.AppendInt(append(appendPath(b, f.Text), ':'), int64(f.Start), 10)
	if f.End > f.Start {
		b = strconv.AppendInt(append(b, '-'), int64(f.End), 10)
	}
	return b, nil
}

func appendPath(b []byte, path string) []byte {
	if isPath(path) {
		return append(b, path...)
	}
	return appendString(b, path)
}

func appendAttrs(b []byte, attrs []Attr) ([]byte, error) {
	for i, a := range attrs {
		if err := checkAttr(attrs[:i], a); err != nil {
			return nil, err
		}
		b = append(b, ' ')
		b = append(b, a.Name...)
		b = append(b, '=')
		switch {
		case a.JSON:
			var err error
			if b, err = appendJSON(b, a.Value); err != nil {
				return nil, fmt.Errorf("value of %s: %w", a.Name, err)
			}
		case isLiteral(a.Value):
			b = appendString(b, a.Value)
		default:
			b = appendPath(b, a.Value)
		}
	}
	return b, nil
}

func appendFrame(b []byte, f *Frame) ([]byte, error) {
	kind := kindRaw
	switch {
	case f.Name != "":
		kind = kindText
		if !isWord(f.Name) {
			return nil, fmt.Errorf("name %q: want letters, digits and _", f.Name)
		}
	case f.Path == "":
		return nil, errors.New("want a path for bytes of a file, or a name")
	}
	b = append(b, frameOpen...)
	b = append(b, kind...)
	b = strconv.AppendInt(append(b, ':'), int64(len(f.Body)), 10)
	if f.Name != "" {
		b = append(append(b, ' '), f.Name...)
	}
	b, err := appendWhere(b, f)
	if err != nil {
		return nil, err
	}
	if b, err = appendAttrs(b, f.Attrs); err != nil {
		return nil, err
	}
	b = append(b, frameClose...)
	b = append(b, '\n')
	b = append(b, f.Body...)
	if n := len(f.Body); n > 0 && f.Body[n-1] != '\n' {
		b = append(b, '\n')
	}
	b = append(b, frameEnd...)
	return append(b, '\n'), nil
}

// appendWhere writes what a frame was cut from. A whole file is a bare path,
// held to the rule for paths, which is narrower than that for words.
func appendWhere(b []byte, f *Frame) ([]byte, error) {
	if f.Start != 0 || f.End != 0 {
		return appendField(append(b, ' '), At(f.Path, f.Start, f.End))
	}
	if f.Path == "" {
		return b, nil
	}
	if err := checkUTF8("path", f.Path); err != nil {
		return nil, err
	}
	return appendPath(append(b, ' '), f.Path), nil
}
