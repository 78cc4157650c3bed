package pack2_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"sextant/internal/pack2"
)

// FuzzParse holds Parse to two things on any bytes: it does not panic, and
// what it accepts is written in a form that reads back as the same document.
func FuzzParse(f *testing.F) {
	for _, s := range samples(f) {
		text, err := pack2.Append(nil, s.doc)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("PACK2 x ok a={ \"b\": [1, \"\u202e\"] } c=\"\\ud800\"\n1  \"a b\":3-3  --  \"t\"\n<<<<TEXT:1 t a:3 k=1>>>>\n\xff\n<<<<END>>>>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		doc, err := pack2.Parse(b)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "parse pack2: line ") {
				t.Fatalf("error without a line: %v", err)
			}
			return
		}
		first, err := pack2.Append(nil, doc)
		if err != nil {
			t.Fatalf("parsed %q, and cannot write it: %v", b, err)
		}
		back, err := pack2.Parse(first)
		if err != nil {
			t.Fatalf("cannot read %q: %v", first, err)
		}
		if !reflect.DeepEqual(back, doc) {
			t.Fatalf("%q reads %+v, its canonical form %q reads %+v", b, doc, first, back)
		}
		second, err := pack2.Append(nil, back)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%q is written again as %q (%v)", first, second, err)
		}
	})
}

// FuzzRoundTrip builds documents of any strings: Append refuses only what
// its contract names, and all else reads back equal.
func FuzzRoundTrip(f *testing.F) {
	f.Add("search_codebase", "1", "(*Router).Create", "orders/api/router.go", "id", "s_3fa9c2", "text", []byte("body\n"), 41, 25, uint8(0))
	f.Add("read_file", "note", "a.go:1-2", "a b.go:3", "v", "2", " \"q\" -- ", []byte("<<<<END>>>>"), 1, 0, uint8(1))
	f.Add("x", "next", "x", "größe\u202e\n", "args", `{"a":[1,"\u2028"]}`, "two\nlines", []byte("\xff"), 7, 7, uint8(2))
	f.Add("x", "warn", "--", "", "k", "1e5", "", []byte{}, 0, 0, uint8(3))
	f.Fuzz(func(t *testing.T, tool, key, word, path, name, value, text string, body []byte, start, more int, kind uint8) {
		if len(body) == 0 {
			body = nil
		}
		end := start
		if more > 0 && start < 1<<40 {
			end += more % 1000
		}
		attr := pack2.String(name, value)
		if kind&1 == 1 {
			attr = asJSON(attr)
		}
		line := pack2.Line{Key: key, Fields: []pack2.Field{pack2.Word(word), pack2.Word(value)}, Attrs: []pack2.Attr{attr}, Text: text}
		frame := pack2.Frame{Path: path, Attrs: []pack2.Attr{attr}, Body: body}
		if kind&2 == 2 {
			frame.Name = tool
		}
		if start > 0 {
			line.Fields = append(line.Fields, pack2.At(path, start, end))
			frame.Start, frame.End = start, end
		}
		doc := &pack2.Document{
			Tool: tool, Status: "ok", Attrs: []pack2.Attr{attr}, Message: value,
			Lines: []pack2.Line{line}, Frames: []pack2.Frame{frame, {Name: "t", Body: body}},
		}
		if _, err := pack2.Append(nil, doc); err == nil {
			roundTrip(t, doc)
		} else if representable(tool, key, name, path, word, value, text) {
			t.Fatalf("refused %+v: %v", doc, err)
		}
	})
}

// asJSON makes the value of a JSON as Append writes it, where it can be.
func asJSON(a pack2.Attr) pack2.Attr {
	a.JSON = true
	object, err := pack2.ArgsJSON([]pack2.Attr{a})
	if err != nil {
		return pack2.Attr{Name: a.Name, Value: a.Value}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err == nil {
		a.Value = string(members[a.Name])
	}
	return a
}

// representable restates, apart from the code under test, which documents of
// FuzzRoundTrip the contract lets Append refuse.
func representable(tool, key, name, path string, texts ...string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	const word = letters + "0123456789_"
	only := func(s, set string) bool {
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune(set, r) }) < 0
	}
	switch key {
	case "next", "more", "warn", "note":
		return false // their shape is checked in tables
	}
	for _, s := range append(texts, path) {
		if !utf8.ValidString(s) {
			return false
		}
	}
	return only(tool, word) && only(key, word) && only(name, word+".-") && !strings.ContainsRune("0123456789.-", rune(name[0])) && path != ""
}
