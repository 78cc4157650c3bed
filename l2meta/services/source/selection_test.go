package source_test

import (
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
	"sextant/l2meta/services/source"
)

// of returns the source of a text, and its first call of a function.
func of(t *testing.T, path, text, callee string) (*source.Source, *code.Call) {
	t.Helper()
	f, err := languages.Extract(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Calls {
		if f.Calls[i].Callee == callee {
			return source.New(&f, nil), &f.Calls[i]
		}
	}
	t.Fatalf("%s: %s is not called", path, callee)
	return nil, nil
}

// TestSelectors checks the expressions that selectors find in a call, and that a neighbouring step finds nothing.
func TestSelectors(t *testing.T) {
	for _, c := range []struct{ path, text, callee, selector, want string }{
		{"a.js", `send(a, "b", c)`, "send", "1", `"b"`}, {"a.js", `send(a)`, "send", "1", ""},
		{"a.py", `send(a, topic="b")`, "send", "topic=", `"b"`}, {"a.py", `send(a, topic="b")`, "send", "1", ""},
		{"a.py", `send(topic="b", a)`, "send", "1", "a"}, {"a.py", `send(a, subtopic="b")`, "send", "topic=", ""},
		{"A.cs", `class A { void F() { Send(topic: "b", body: c); } }`, "Send", "body=", "c"},
		{"a.rb", `send_it :a, topic => "b"`, "send_it", "topic=", ""},
		{"a.js", `send({topic: "b", other: c})`, "send", "0/topic", `"b"`},
		{"a.js", `send({topic})`, "send", "0/topic", "topic"}, {"a.js", `send({topics: "b"})`, "send", "0/topic", ""},
		{"a.js", "const to = {topic: 'b'};\nsend(to)", "send", "0/topic", "'b'"},
		{"a.js", "const to = pick();\nsend(to)", "send", "0/topic", ""},
		{"a.js", `send(make("b", c))`, "send", "0/1", "c"}, {"a.js", `send({b: c})`, "send", "0/1", ""},
		{"a.js", `send(new Record("b"))`, "send", "0/Record(/0", `"b"`},
		{"a.js", `send(new Other("b"))`, "send", "0/Record(/0", ""},
		{"a.js", `x.queue("b").send(a)`, "send", ".queue", `"b"`}, {"a.js", `x.send(a).queue("b")`, "send", ".queue", `"b"`},
		{"a.js", `x.queues("b").send(a)`, "send", ".queue", ""},
		{"a.js", `send(to().queue("b").end())`, "send", "0/.queue", `"b"`},
		{"a.js", `send(a, {topic: "b"})`, "send", "*/topic", `"b"`}, {"a.js", `send(a, {other: "b"})`, "send", "*/topic", ""},
		{"a.js", "const p = make({topic: 'b'});\np.send(a)", "send", "^/0/topic", "'b'"},
		{"a.js", "const p = make({topic: 'b'});\nq.send(a)", "send", "^/0/topic", ""},
		{"A.cs", `class A { void F() { bus.Publish<Paid>(x); } }`, "Publish", "<>", "Paid"},
		{"A.cs", `class A { void F() { bus.Publish(x); } }`, "Publish", "<>", ""},
		{"A.cs", "class A { void F() { var p = Make(q); p.OnMessage += Take; } }", "Make", "+=", "Take"},
		{"A.cs", "class A { void F() { var p = Make(q); p.OnError += Take; } }", "Make", "+=", ""},
		{"A.cs", "class A { void F() { var p = Make(q); r.OnMessage += Take; } }", "Make", "+=", ""},
		{"a.go", "package a\n\nfunc f() { send(&T{Topic: \"b\", Other: c}) }", "send", "0/Topic", `"b"`},
		{"a.php", `<?php send(['topic' => "b"]);`, "send", "0/topic", `"b"`},
	} {
		src, call := of(t, c.path, c.text, c.callee)
		if got, _ := src.Select(call).Find(c.selector); got != c.want {
			t.Errorf("%s by %s: %q, want %q", c.text, c.selector, got, c.want)
		}
	}
}

// TestTopics checks the texts that selectors find: of lists, loops, constants and parameters that all callers pass.
func TestTopics(t *testing.T) {
	for _, c := range []struct {
		path, text, callee, selector string
		want                         []string
	}{
		{"a.js", `take("b")`, "take", "0", []string{"b"}}, {"a.js", `take("two words")`, "take", "0", nil},
		{"a.js", `take(["b", "c", "b"])`, "take", "0", []string{"b", "c"}},
		{"a.js", `take("a", "b", handler, "c d")`, "take", "0..", []string{"a", "b"}},
		{"a.js", `take("a", "b")`, "take", "0", []string{"a"}},
		{"a.js", "const ALL = ['b', 'c'];\ntake(...ALL)", "take", "0", []string{"b", "c"}},
		{"a.js", "const ALL = {B: 'b', C: 'c'};\ntake(Object.values(ALL))", "take", "0", []string{"b", "c"}},
		{"a.js", "const ALL = ['b', 'c'];\nfunction f() { for (const x of ALL) { take(x); } }", "take", "0",
			[]string{"b", "c"}},
		{"a.js", "const ALL = ['b', 'c'];\nfunction f() { for (const y of ALL) { take(x); } }", "take", "0", []string{"{x}"}},
		{"a.js", "const ALL = ['b', 'c'];\nfunction f() { ALL.forEach((x) => take(x)); }", "take", "0", []string{"b", "c"}},
		{"a.js", `take([{topic: "b"}, {topic: "c"}, {other: "d"}])`, "take", "0/[]/topic", []string{"b", "c"}},
		{"a.js", `take({cmd: 'sum'})`, "take", "0", []string{"cmd:sum"}},
		{"a.js", "function f(to) { take(to); }\nf('b');", "take", "0", []string{"b"}},
		{"a.js", "function f(to) { take(to); }\nf('b');\nf('c');", "take", "0", []string{"{#0:to}"}},
		{"a.js", "function f(to) { take(to); }\nother.f('b');", "take", "0", []string{"{#0:to}"}},
		{"a.py", "def f():\n    take(list(ALL))\nALL = ('b', 'c')\n", "take", "0", []string{"b", "c"}},
		{"a.py", "take(*ALL)\nALL = ['b']\n", "take", "0", []string{"b"}},
		{"a.go", "package a\n\nfunc f() { q, err := ch.QueueDeclare(\"b\"); take(q.Name) }", "take", "0", []string{"b"}},
		{"a.go", "package a\n\nfunc f() { q, err := ch.Other(\"b\"); take(q.Name) }", "take", "0", []string{"{q.Name}"}},
		{"A.java", `class A { void f() { take("#{'${a.topics}'.split(',')}"); } }`, "take", "0", []string{"{env:a.topics}"}},
		{"A.java", "class A { static final String B = \"b\"; void f() { take(B); } }", "take", "0", []string{"b"}},
	} {
		src, call := of(t, c.path, c.text, c.callee)
		if got := src.Select(call).Texts([]string{c.selector}); !slices.Equal(got, c.want) {
			t.Errorf("%s by %s: %q, want %q", c.text, c.selector, got, c.want)
		}
	}
}

// TestPayloads checks the types that the payload of a call may have. A class that makes others, and a type that says
// nothing, are none.
func TestPayloads(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string
	}{
		{"A.cs", `class A { void F() { Send(new Paid()); } }`, []string{"Paid"}},
		{"A.cs", `class A { void F() { Send(late ? new Late() : new Paid()); } }`, []string{"Late", "Paid"}},
		{"A.cs", `class A { void F() { var e = new Paid(); Send(e); } }`, []string{"Paid"}},
		{"A.cs", `class A { void F(Paid e) { Send(e); } }`, []string{"Paid"}},
		{"A.cs", `class A { void F(Paid e) { Send(e.Inner); } }`, nil},
		{"A.cs", `class A { void F(object e) { Send(e); } }`, nil},
		{"A.cs", `class A { void F() { Send(order.Adapt<Paid>()); } }`, []string{"Paid"}},
		{"A.cs", `class A { void F() { Send(Paid.From(order)); } }`, []string{"Paid"}},
		{"A.cs", `class A { void F() { Send(PaidFactory.From(order)); Guid.NewGuid(); } }`, nil},
		{"A.cs", `class A { void F() { Send(Guid.NewGuid()); } }`, nil},
		{"a.go", "package a\n\nfunc build() Paid { return read() }\n\nfunc f() { Send(build(order)) }", []string{"Paid"}},
		{"a.go", "package a\n\nfunc build() string { return read() }\n\nfunc f() { Send(build(order)) }", nil},
		{"A.cs", `class A { void F() { foreach (var e in events) Send(e); List<Paid> events; } }`, nil},
		{"A.java", `class A { void f() { Send(Paid.class); } }`, []string{"Paid"}},
		{"a.go", "package a\n\nfunc f() { Send(&Paid{}) }", []string{"Paid"}},
		{"a.go", "package a\n\nfunc f() { e := Paid{}; Send(e) }", []string{"Paid"}},
	} {
		src, call := of(t, c.path, c.text, "Send")
		if got := src.PayloadTypes(call, src.Arguments(call)[0]); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
