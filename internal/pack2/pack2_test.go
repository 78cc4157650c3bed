package pack2_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"sextant/internal/pack2"
)

var update = flag.Bool("update", false, "rewrite the golden file")

const golden = "testdata/documents.txtar"

// TestGolden pins the text of every sample, and that it reads back equal.
func TestGolden(t *testing.T) {
	archive, err := txtar.ParseFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if archive == nil {
		archive = &txtar.Archive{}
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	archive.Files = nil
	for _, s := range samples(t) {
		text, err := pack2.Append(nil, s.doc)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		archive.Files = append(archive.Files, txtar.File{Name: s.name, Data: text})
		if !*update && want[s.name] != string(text) {
			t.Errorf("%s: run with -update if this is meant:\n%s\nwant\n%s", s.name, text, want[s.name])
		}
		delete(want, s.name)
		back, err := pack2.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if !reflect.DeepEqual(back, s.doc) {
			t.Errorf("%s: read back\n%+v\nwant\n%+v", s.name, back, s.doc)
		}
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name := range want {
		t.Errorf("%s is in %s alone", name, golden)
	}
}

// TestPackageExample reads the example of the package comment, so that the
// comment cannot drift from the code.
func TestPackageExample(t *testing.T) {
	src, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(src), "//\tPACK2 ")
	example, _, closed := strings.Cut("//\tPACK2 "+rest, "\n//\n")
	if !ok || !closed {
		t.Fatal("doc.go has no example")
	}
	text := strings.ReplaceAll(example, "//\t", "") + "\n"
	d, err := pack2.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := pack2.Append(nil, d)
	if err != nil || string(out) != text {
		t.Errorf("the example is not canonical (%v):\n%s", err, out)
	}
	if len(d.Lines) != 5 || len(d.Frames) != 1 || d.Frames[0].End != 43 {
		t.Errorf("read %+v", d)
	}
}

// TestParseLenient takes what Append never writes.
func TestParseLenient(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"several spaces", "PACK2 x  ok   n=1\n1  a.go:2  go   high\n", "PACK2 x ok n=1\n1 a.go:2 go high\n"},
		{"no last line feed", "PACK2 x ok", "PACK2 x ok\n"},
		{"no line feed after a frame", "PACK2 x ok\n<<<<RAW:1 a>>>>\nb\n<<<<END>>>>", "PACK2 x ok\n<<<<RAW:1 a>>>>\nb\n<<<<END>>>>\n"},
		{"needless quotes", "PACK2 x ok r=\"/ws\"\n1 \"a.go\":2-2 \"go\" -- \"text\"\n", "PACK2 x ok r=/ws\n1 a.go:2 go -- text\n"},
		{"escapes", `PACK2 x ok a="\u0061\/\ud83d\ude00"`, "PACK2 x ok a=\"a/😀\"\n"},
		{"loose JSON", `PACK2 x ok a={ "b" : [ 1 , 2 ] }`, "PACK2 x ok a={\"b\":[1,2]}\n"},
		{"trailing spaces", "PACK2 x ok  \n1 -- text  \n", "PACK2 x ok\n1 -- text\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := pack2.Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := pack2.Append(nil, d); err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const h = "PACK2 x ok\n"
	tests := []struct{ in, want string }{
		{"", "line 1: want a key"},
		{"PACK1 x ok\n", "line 1: want PACK2"},
		{"PACK2 x\n", "line 1: want a tool and a status"},
		{"PACK2 x not-ok\n", "line 1: want a tool and a status"},
		{"PACK2 x ok\r\n", "line 1: want printable"},
		{h + "\n", "line 2: want a key"},
		{h + "1 a.go:2 \xff\n", "line 2: want UTF-8"},
		{h + "1 \"a\n", "line 2: want a closing quote"},
		{h + "1 \"a\\x\"\n", "line 2: want a JSON string"},
		{h + "1 \"a\"b\n", "line 2: want a space"},
		{h + "1 \"a\":0\n", "line 2: want a path and :FIRST"},
		{h + "1 \"a\":9-3\n", "line 2: want a path and :FIRST"},
		{h + "1 \"a\":b:3\n", "line 2: want a path and :FIRST"},
		{h + "1 \"\":3\n", "line 2: want a path and :FIRST"},
		{h + "1 (a):3\n", "line 2: want a path of"},
		{h + "1 a\"b\n", "line 2: want printable"},
		{h + "1 k=a:b\n", "line 2: value of k: want"},
		{h + "1 k=\n", "line 2: value of k: want"},
		{h + "1 k={\"a\"\n", "line 2: want JSON"},
		{h + "1 k=[1]x\n", "line 2: want a space"},
		{h + "1 k=1 word\n", "line 2: want NAME=VALUE after"},
		{h + "1 k=1 k=2\n", "line 2: attribute k occurs twice"},
		{h + "1" + manyAttrs(129) + "\n", "line 2: attribute k128: want at most"},
		{h + "1 --\n", "line 2: want text"},
		{h + "1 -- \"a\" b\n", "line 2: want one JSON string"},
		{h + "next path=/ws\n", "line 2: next: want one field, the tool"},
		{h + "more a b\n", "line 2: more: want one field, the tool"},
		{h + "warn\n", "line 2: warn: want a code"},
		{h + "warn A loud\n", "line 2: warn: want severity"},
		{h + "note -- text\n", "line 2: note: want its type"},
		{h + "<<<<END>>>>\n", "line 2: want <<<<RAW"},
		{h + "<<<<RAW:01 a>>>>\nb\n<<<<END>>>>\n", "line 2: want <<<<RAW"},
		{h + "<<<<RAW:-1 a>>>>\n<<<<END>>>>\n", "line 2: want <<<<RAW"},
		{h + "<<<<RAW:99999999999999999999 a>>>>\n", "line 2: want <<<<RAW"},
		{h + "<<<<RAW:9 a>>>>\nb\n<<<<END>>>>\n1 late\n<<<<END>>>>\n", "line 4: want the line to end"},
		{h + "<<<<RAW:9223372036854775807 a>>>>\nb\n", "line 2: want 9223372036854775807 bytes of body, have 2"},
		{h + "<<<<RAW:0>>>>\n<<<<END>>>>\n", "line 2: want one path"},
		{h + "<<<<RAW:0 a b>>>>\n<<<<END>>>>\n", "line 2: want one path"},
		{h + "<<<<RAW:0 \"\">>>>\n<<<<END>>>>\n", "line 2: want a path that is not empty"},
		{h + "<<<<TEXT:0 a/b>>>>\n<<<<END>>>>\n", "line 2: want the name of the text"},
		{h + "<<<<RAW:2 a>>>>\nb\n\n<<<<END>>>>\n", "line 4: want <<<<END>>>>"},
		{h + "<<<<RAW:1 a>>>>\nb<<<<END>>>>\n", "line 3: want the line to end"},
		{h + "<<<<RAW:2 a>>>>\nb\n<<<<END>>>>\n1 late\n", "line 5: want a frame or the end"},
	}
	for _, tt := range tests {
		_, err := pack2.Parse([]byte(tt.in))
		if err == nil || !strings.HasPrefix(err.Error(), "parse pack2: "+tt.want) {
			t.Errorf("%.60q: got %v, want %s", tt.in, err, tt.want)
		}
	}
}

func manyAttrs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " k%d=1", i)
	}
	return b.String()
}

func TestAppendErrors(t *testing.T) {
	line := func(l pack2.Line) *pack2.Document {
		return &pack2.Document{Tool: "x", Status: "ok", Lines: []pack2.Line{l}}
	}
	frame := func(f pack2.Frame) *pack2.Document {
		return &pack2.Document{Tool: "x", Status: "ok", Frames: []pack2.Frame{f}}
	}
	attr := func(a ...pack2.Attr) *pack2.Document { return line(pack2.Line{Key: "1", Attrs: a}) }
	field := func(f pack2.Field) *pack2.Document { return line(pack2.Line{Key: "1", Fields: []pack2.Field{f}}) }
	tests := []struct {
		want string
		doc  *pack2.Document
	}{
		{"want tool and status", &pack2.Document{Tool: "read file", Status: "ok"}},
		{"header: text", &pack2.Document{Tool: "x", Status: "ok", Message: "\xff"}},
		{"line 2: key \"a b\"", line(pack2.Line{Key: "a b"})},
		{"line 2: key \"\"", line(pack2.Line{})},
		{"line 2: field", field(pack2.Word("\xff"))},
		{"line 2: place without", field(pack2.At("", 1, 2))},
		{"line 2: place a", field(pack2.At("a", 3, 2))},
		{"line 2: place a", field(pack2.At("a", 0, 2))},
		{"line 2: place a", field(pack2.At("a", -1, 0))},
		{"line 2: attribute \"a b\"", attr(pack2.String("a b", ""))},
		{"line 2: attribute \"1\"", attr(pack2.String("1", ""))},
		{"line 2: attribute a occurs twice", attr(pack2.Int("a", 1), pack2.Int("a", 2))},
		{"line 2: value of a", attr(pack2.String("a", "\xff"))},
		{"line 2: value of a", attr(pack2.Attr{Name: "a", Value: "{", JSON: true})},
		{"line 2: value of a", attr(pack2.Attr{Name: "a", Value: "", JSON: true})},
		{"line 2: value of a", attr(pack2.Attr{Name: "a", Value: `"s"`, JSON: true})},
		{"line 2: next", line(pack2.Line{Key: "next"})},
		{"line 2: warn", line(pack2.Line{Key: "warn", Text: "no code"})},
		{"frame 1: want a path", frame(pack2.Frame{})},
		{"frame 1: name", frame(pack2.Frame{Name: "a b"})},
		{"frame 1: path", frame(pack2.Frame{Path: "\xff"})},
		{"frame 1: place a", frame(pack2.Frame{Path: "a", End: 2})},
		{"frame 1: place without", frame(pack2.Frame{Name: "a", Start: 1, End: 2})},
		{"frame 1: attribute", frame(pack2.Frame{Path: "a", Attrs: []pack2.Attr{{}}})},
	}
	for _, tt := range tests {
		out, err := pack2.Append([]byte("before"), tt.doc)
		if err == nil || !strings.HasPrefix(err.Error(), "encode pack2: "+tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
		if string(out) != "before" {
			t.Errorf("%s: appended %q", tt.want, out)
		}
	}
}

// TestArgs checks that a suggested call survives as what the tool takes.
func TestArgs(t *testing.T) {
	for _, in := range []string{
		`{}`,
		`{"path":"/ws","limit":20,"debug":true,"cursor":null}`,
		`{"query":"42","path":"true","a":"null","b":"-1.5e3","c":"","d":"007"}`,
		`{"symbolRef":{"file":"a b/<x>&.go","symbolLabel":"Größe \"q\" \\ "},"patterns":["*.go","","a,b"]}`,
		`{"big":12345678901234567890.5,"e":1E+5,"text":"a\nb\tc\u2028\u0000😀"}`,
	} {
		var want any
		dec := json.NewDecoder(strings.NewReader(in))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		doc := &pack2.Document{Tool: "x", Status: "ok", Lines: []pack2.Line{{
			Key: pack2.KeyNext, Fields: []pack2.Field{pack2.Word("x")}, Attrs: args(t, want),
		}}}
		text, err := pack2.Append(nil, doc)
		if err != nil {
			t.Fatal(err)
		}
		back, err := pack2.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		object, err := pack2.ArgsJSON(back.Lines[0].Attrs)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		dec = json.NewDecoder(bytes.NewReader(object))
		dec.UseNumber()
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s became %s through %s", in, object, text)
		}
	}
	for _, v := range []any{nil, 1, "s", []int{1}, func() {}} {
		if attrs, err := pack2.Args(v); err == nil {
			t.Errorf("Args(%T) = %v, want an error", v, attrs)
		}
	}
}

// TestRealFiles frames real source, with and without final line feeds, and
// this package's own goldens, whose text is full of frames.
func TestRealFiles(t *testing.T) {
	doc := &pack2.Document{Tool: "read_file", Status: "ok"}
	for _, dir := range []string{filepath.Join(build.Default.GOROOT, "src", "encoding"), "."} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if len(body) == 0 {
				body = nil
			}
			doc.Lines = append(doc.Lines, pack2.Line{Key: "1", Fields: []pack2.Field{pack2.At(path, 1, 1+bytes.Count(body, []byte("\n")))}})
			doc.Frames = append(doc.Frames, pack2.Frame{Path: path, Body: body})
			if n := len(body); n > 2 {
				doc.Frames = append(doc.Frames, pack2.Frame{Name: "middle", Path: path, Body: body[n/3 : n/2]})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(doc.Frames) < 100 {
		t.Fatalf("only %d frames", len(doc.Frames))
	}
	roundTrip(t, doc)
}

// roundTrip demands that doc reads back equal from what is written of it.
func roundTrip(t *testing.T, doc *pack2.Document) {
	t.Helper()
	text, err := pack2.Append(nil, doc)
	if err != nil {
		t.Fatal(err)
	}
	back, err := pack2.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !reflect.DeepEqual(back, doc) {
		t.Fatalf("read back\n%+v\nwant\n%+v\nthrough\n%s", back, doc, text)
	}
}
