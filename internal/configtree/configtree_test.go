package configtree

import (
	"fmt"
	"strings"
	"testing"
)

// shape writes a tree on one line: "key:line=value", lists in brackets, maps in braces.
func shape(n *Node) string {
	if len(n.Kids) == 0 {
		return fmt.Sprintf("%s:%d=%s", n.Key, n.Line, n.Value)
	}
	var kids []string
	for _, k := range n.Kids {
		kids = append(kids, shape(k))
	}
	open, end := "{", "}"
	if n.List {
		open, end = "[", "]"
	}
	return n.Key + open + strings.Join(kids, " ") + end
}

func TestYAML(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a:\n  b: 1\n  c: [x, y]\n---\nd: 2\n", "{a{b:2=1 c[:3=x :3=y]}} {d:5=2}"},
		{"a: &x {b: 1}\nc: *x\n", "{a{b:1=1} c{b:1=1}}"},
		{"{{- if .Values.on }}\na: {{ .Values.name }}-x\n{{- end }}\n", "{a:2=__-x}"},
		{"a:\n  key: ********\n  list: [****, b]\n  c:\n  - ****\nd: 2\n",
			"{a{key:2=.******* list[:3=.*** :3=b] c[:5=.***]} d:6=2}"},
		{"a: {{ .Values.name }}\nkey: ********\n", "{a:1=__ key:2=.*******}"},
		{"a: 1\n---\n: : :\n  - }\n", "{a:1=1}"},
		{"", ""},
	} {
		var got []string
		for _, n := range YAML(c.text) {
			got = append(got, shape(n))
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%q: %s, want %s", c.text, all, c.want)
		}
	}
	if n := len(YAML(strings.Repeat("a: 1\n---\n", maxDocuments+5))); n != maxDocuments {
		t.Errorf("%d documents, want %d", n, maxDocuments)
	}
}

// TestAliasesAreBounded checks that aliases of aliases do not multiply the nodes without bound.
func TestAliasesAreBounded(t *testing.T) {
	text := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'j'; c++ {
		before := string(c - 1)
		text += fmt.Sprintf("%c: &%c [*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s]\n", c, c, before, before, before, before,
			before, before, before, before, before)
	}
	n := 0
	for _, doc := range YAML(text) {
		doc.Each(func(*Node) { n++ })
	}
	if n == 0 || n > 10_000 {
		t.Errorf("%d nodes of %d bytes", n, len(text))
	}
}

func TestJSON(t *testing.T) {
	text := "\ufeff{\n\t// why\n\t\"a\": {\"b\": [1, 2,]},\n\t\"c\": \"x\" /* which */,\n}"
	if got, want := shape(JSON(text)), "{a{b[:3=1 :3=2]} c:4=x}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, text := range []string{"", "{", "{a: 1}", "no"} {
		if n := JSON(text); n != nil {
			t.Errorf("%q is read as %s", text, shape(n))
		}
	}
}

func TestProperties(t *testing.T) {
	text := "# of the shop\n! also\na.routes[0].uri = http://x=1\na.routes[0].id=one\na.routes[1].uri=http://y\nnone\n"
	if got, want := shape(Properties(text)),
		"{a{routes[0{uri:3=http://x=1 id:4=one} 1{uri:5=http://y}]}}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestAt(t *testing.T) {
	n := YAML(
		"spring:\n  cloud.gateway:\n    Server-Port: 80\n  cloud.other: x\nlist: [a, {b: c}, d]\none: e\n")[0].Undotted()
	for path, want := range map[string]string{
		"spring cloud gateway serverport": "80", "spring cloud gateway SERVER_PORT": "80", "spring cloud other": "x",
		"spring none": "", "one": "e", "one more": "",
	} {
		if got := n.Text(strings.Fields(path)...); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if n.At("none").Line != 0 || n.At("spring", "cloud", "gateway").Line != 2 {
		t.Error("the lines of keys differ")
	}
	for key, want := range map[string]string{"list": "[a d]", "one": "[e]", "none": "[]"} {
		if got := fmt.Sprint(n.Texts(key)); got != want {
			t.Errorf("Texts(%s) = %s, want %s", key, got, want)
		}
	}
}
