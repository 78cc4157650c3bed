package pack2

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// The keys whose shape is fixed.
const (
	KeyNext = "next" // a call worth making: one field, the tool; the attributes are its arguments
	KeyMore = "more" // the call that continues what was cut, shaped like next
	KeyWarn = "warn" // a code, an optional severity, the message as text
	KeyNote = "note" // a type first
)

// maxAttrs bounds the attributes of a line, several times what the widest
// call has, so that looking for a name that occurs twice stays cheap whatever
// is parsed.
const maxAttrs = 128

// Document is one answer. Empty lists and nil are the same to Append; Parse
// returns nil.
type Document struct {
	Tool    string // letters, digits and "_", as is Status
	Status  string
	Attrs   []Attr
	Message string // the header's text, "" for none; of any characters in UTF-8
	Lines   []Line
	Frames  []Frame
}

// Line is one record, or one of the keyed lines.
type Line struct {
	Key    string // letters, digits and "_": a record's number, or a word
	Fields []Field
	Attrs  []Attr // at most 128, of distinct names
	Text   string // prose to the end of the line, "" for none
}

// Field is a word, or a place in a file where Start is not 0.
type Field struct {
	Text       string // the word, "" is allowed; or the path of the place, not empty
	Start, End int    // 1-based inclusive lines of a place; both 0 for a word
}

// Attr is a named value.
type Attr struct {
	Name  string // a letter or "_", then letters, digits, "_", "." and "-"
	Value string
	// JSON says that Value is compact JSON text — a number, true, false,
	// null, an array or an object — and not a string.
	JSON bool
}

// Frame is a run of bytes with the place that it was cut from.
type Frame struct {
	// Name is of a text that was made, as "tree"; "" says that Body is
	// exactly what lies on disk, and then Path is not empty.
	Name       string
	Path       string
	Start, End int // 1-based inclusive lines; both 0 for the whole file
	Attrs      []Attr
	Body       []byte // any bytes
}

// Word is a field that is no place.
func Word(s string) Field { return Field{Text: s} }

// At is the place of the 1-based inclusive lines start to end of path.
func At(path string, start, end int) Field { return Field{Text: path, Start: start, End: end} }

// String is the attribute name with a string for its value.
func String(name, value string) Attr { return Attr{Name: name, Value: value} }

// Int is the attribute name with a whole number for its value.
func Int(name string, value int) Attr {
	return Attr{Name: name, Value: strconv.Itoa(value), JSON: true}
}

// Args are the members of v, which encoding/json writes as an object (a map
// or a struct), as attributes in the order that it writes them in.
func Args(v any) ([]Attr, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("pack2 arguments: %w", err)
	}
	dec := json.NewDecoder(&text)
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("pack2 arguments: want a JSON object, have %T", v)
	}
	var attrs []Attr
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("pack2 arguments: %w", err)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, fmt.Errorf("pack2 arguments: %w", err)
		}
		a := Attr{Name: name.(string), Value: string(raw), JSON: true}
		if raw[0] == '"' {
			a.JSON = false
			if err := json.Unmarshal(raw, &a.Value); err != nil {
				return nil, fmt.Errorf("pack2 argument %s: %w", a.Name, err)
			}
		}
		attrs = append(attrs, a)
	}
	return attrs, nil
}

// ArgsJSON is the JSON object of attrs, the inverse of Args: of a next or
// more line, it is what the tool is called with.
func ArgsJSON(attrs []Attr) ([]byte, error) {
	out := []byte{'{'}
	for i, a := range attrs {
		if err := checkAttr(attrs[:i], a); err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, a.Name), ':')
		if !a.JSON {
			out = appendString(out, a.Value)
			continue
		}
		var err error
		if out, err = appendJSON(out, a.Value); err != nil {
			return nil, fmt.Errorf("value of %s: %w", a.Name, err)
		}
	}
	return append(out, '}'), nil
}

// checkShape holds a line to what its key promises.
func checkShape(l Line) error {
	switch l.Key {
	case KeyNext, KeyMore:
		if len(l.Fields) != 1 || l.Fields[0].Start != 0 || !isWord(l.Fields[0].Text) {
			return fmt.Errorf("%s: want one field, the tool to call, before its arguments", l.Key)
		}
	case KeyWarn:
		if n := len(l.Fields); n < 1 || n > 2 || l.Fields[0].Start != 0 || l.Fields[0].Text == "" {
			return errors.New("warn: want a code and at most a severity before the message")
		} else if n == 2 && !isSeverity(l.Fields[1]) {
			return errors.New("warn: want severity info, caution, degraded or blocking")
		}
	case KeyNote:
		if len(l.Fields) == 0 || l.Fields[0].Start != 0 || l.Fields[0].Text == "" {
			return errors.New("note: want its type first")
		}
	}
	return nil
}

func isSeverity(f Field) bool {
	switch f.Text {
	case "info", "caution", "degraded", "blocking":
		return f.Start == 0
	}
	return false
}

// checkAttr refuses an attribute that no document can hold, after those
// before it in its line.
func checkAttr(before []Attr, a Attr) error {
	if !isName(a.Name) {
		return fmt.Errorf("attribute %q: want a name of letters, digits, _ . and -", a.Name)
	}
	if len(before) == maxAttrs {
		return fmt.Errorf("attribute %s: want at most %d in a line", a.Name, maxAttrs)
	}
	for _, b := range before {
		if b.Name == a.Name {
			return fmt.Errorf("attribute %s occurs twice", a.Name)
		}
	}
	return checkUTF8("value of "+a.Name, a.Value)
}
