package impact_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// work is an indexed workspace whose files are all committed.
type work struct {
	*navigatetest.Bench
}

func committed(t *testing.T, files map[string]string) *work {
	t.Helper()
	w := &work{navigatetest.Of(t, files)}
	w.git("init", "-q", "-b", "main")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "first")
	return w
}

func (w *work) git(args ...string) {
	w.T.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Dir = w.Dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.T.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w *work) write(file, text string) {
	w.T.Helper()
	abs := filepath.Join(w.Dir, file)
	if err := errors.Join(os.MkdirAll(filepath.Dir(abs), 0o755), os.WriteFile(abs, []byte(text), 0o644)); err != nil {
		w.T.Fatal(err)
	}
}

func (w *work) replace(file, old, now string) {
	w.T.Helper()
	w.Edit(file, func(s string) string {
		if !strings.Contains(s, old) {
			w.T.Fatalf("%s does not have %q", file, old)
		}
		return strings.Replace(s, old, now, 1)
	})
}

func (w *work) ask(revision string) *contract.GraphAnswer {
	w.T.Helper()
	a := w.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{Diff: &revision}})
	if a.Status != contract.StatusOK || a.Impact == nil {
		w.T.Fatalf("%+v", a.Outcome)
	}
	return a
}

// changed returns the changed symbols as "FILE NAME STATE".
func changed(a *contract.GraphAnswer) (out []string) {
	for _, f := range a.Impact.Files {
		for _, s := range f.Symbols {
			out = append(out, f.File+" "+s.SymbolLabel+" "+string(s.State))
		}
		if f.OtherLines {
			out = append(out, f.File+" other lines")
		}
	}
	return out
}

// tests returns the test files as "FILE EVIDENCE".
func tests(a *contract.GraphAnswer) (out []string) {
	for _, t := range a.Impact.Tests {
		out = append(out, t.File+" "+string(t.Evidence))
	}
	return out
}

func callers(a *contract.GraphAnswer) (out []string) {
	for _, c := range a.Impact.Callers {
		out = append(out, c.File+" "+c.SymbolLabel+" -> "+c.Target)
	}
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

var shop = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.22\n",
	"cart/cart.go": "package cart\n\n// Cart holds items.\ntype Cart struct{ Items []int }\n\n" +
		"func (c *Cart) Add(n int) { c.Items = append(c.Items, n) }\n\n" +
		"func (c *Cart) Total() int { return sum(c.Items) }\n\n" +
		"func sum(list []int) (n int) {\n\tfor _, x := range list {\n\t\tn += x\n\t}\n\treturn n\n}\n",
	"cart/cart_test.go": "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tc := &Cart{}\n" +
		"\tif c.Total() != 0 {\n\t\tt.Fail()\n\t}\n}\n",
	"order/order.go": "package order\n\nimport \"example.com/shop/cart\"\n\n" +
		"func Place(c *cart.Cart) int { return c.Total() }\n",
	"order/place_test.go": "package order\n\nimport (\n\t\"testing\"\n\n\t\"example.com/shop/cart\"\n)\n\n" +
		"func TestPlace(t *testing.T) { Place(&cart.Cart{}) }\n",
	"mail/mail.go":      "package mail\n\nfunc Send(to string) string { return to }\n",
	"mail/mail_test.go": "package mail\n\nimport \"testing\"\n\nfunc TestSend(t *testing.T) { Send(\"x\") }\n",
}

// TestTestsThatReachAChange checks that the change of a function leads to the code that reaches it
// and to their tests, nearest first, and to no unrelated code.
func TestTestsThatReachAChange(t *testing.T) {
	w := committed(t, shop)
	if a := w.ask("HEAD"); len(a.Impact.Files)+len(a.Impact.Tests) > 0 {
		t.Errorf("nothing changed: %q, %q", changed(a), tests(a))
	}
	w.replace("cart/cart.go", "n += x", "n += 2 * x")
	a := w.ask("")
	same(t, "changed", changed(a), []string{"cart/cart.go sum modified"})
	same(t, "tests", tests(a), []string{"cart/cart_test.go calls", "order/place_test.go calls"})
	same(t, "callers", callers(a), []string{"order/order.go Place -> Cart.Total"})
	first := a.Impact.Tests[0]
	if first.Distance != 2 || first.Target != "sum" || len(first.Tests) != 1 || first.Tests[0].Label != "TestTotal" {
		t.Errorf("%+v", first)
	}
	if a.FreshnessDecision == nil || a.FreshnessDecision.Gate.FilesChecked == 0 {
		t.Errorf("freshness is %+v", a.FreshnessDecision)
	}
}

// TestStatesThatAreCompared checks that staged, unstaged, untracked and removed files count, and
// that a commit is compared with the files on disk, a range without them.
func TestStatesThatAreCompared(t *testing.T) {
	w := committed(t, shop)
	w.replace("cart/cart.go", "func (c *Cart) Add(n int) {", "func (c *Cart) Add(n int) {\n\tprintln(n)\n")
	w.git("commit", "-qam", "second")
	w.replace("mail/mail.go", "return to", "return to + to")
	w.git("add", "-A")
	w.write("mail/new.go", "package mail\n\nfunc Queue() { Send(\"y\") }\n")
	if err := os.Remove(filepath.Join(w.Dir, "order/order.go")); err != nil {
		t.Fatal(err)
	}
	head := []string{"mail/mail.go Send modified", "mail/new.go Queue added", "mail/new.go other lines",
		"order/order.go Place removed", "order/order.go other lines"}
	a := w.ask("HEAD")
	same(t, "HEAD", changed(a), head)
	if got := tests(a); !slices.Contains(got, "mail/mail_test.go calls") ||
		!slices.Contains(got, "order/place_test.go may_call") {
		t.Errorf("tests are %q", got)
	}
	same(t, "HEAD~1", changed(w.ask("HEAD~1")), append([]string{"cart/cart.go Cart.Add modified"}, head...))
	same(t, "a range", changed(w.ask("main~1..main")), []string{"cart/cart.go Cart.Add modified"})
}

// TestSymbolsThatChanged checks that a symbol has changed if its own text has: not if it moved, not
// because of a nested method, and not because of a comment.
func TestSymbolsThatChanged(t *testing.T) {
	const before = "import os\n\nclass Cart:\n    kind = 1\n\n    def add(self, n):\n        self.n = n\n\n" +
		"    def total(self):\n        return self.n\n\ndef free():\n    pass\n"
	w := committed(t, map[string]string{"cart.py": before})
	for _, c := range []struct {
		name, old, now string
		want           []string
	}{
		{"a method", "self.n = n\n", "self.n = n + 1\n", []string{"cart.py Cart.add modified"}},
		{"moved down", "class Cart", "\n\n# A comment.\nclass Cart", nil},
		{"the class itself", "class Cart:", "class Cart(dict):", []string{"cart.py Cart modified"}},
		{"renamed", "def free", "def gratis", []string{"cart.py gratis added", "cart.py free removed"}},
		{"a field", "    kind = 1\n", "    kind = 2\n", []string{"cart.py Cart.kind modified"}},
		{"a class with fields", "def free", "class Box:\n    size = 1\n\ndef free", []string{"cart.py Box added"}},
		{"an import", "import os\n", "import sys\n", []string{"cart.py other lines"}},
	} {
		w.write("cart.py", strings.Replace(before, c.old, c.now, 1))
		same(t, c.name, changed(w.ask("")), c.want)
	}
}

// TestKindsOfEvidence checks that calls through an interface, imports and names are weaker
// evidence, and named as such.
func TestKindsOfEvidence(t *testing.T) {
	w := committed(t, map[string]string{
		"src/store.ts": "export interface Store { save(x: string): void }\n",
		"src/disk.ts": "import { Store } from './store'\nexport class Disk implements Store { " +
			"save(x: string) { console.log(x) } }\n",
		"src/use.ts": "import { Store } from './store'\nexport function keep(s: Store) { " +
			"s.save('x') }\n",
		"test/use.test.ts": "import { keep } from '../src/use'\nimport { Store } from '../src/store'\n" +
			"test('keeps', () => { keep({} as Store) })\n",
		"test/imports.test.ts": "import { Disk } from '../src/disk'\ntest('is there', () => { " +
			"expect(Disk).toBeDefined() })\n",
		"playground/disk/run.spec.ts": "test('runs', () => { expect(1).toBe(1) })\n",
		"test/other.test.ts":          "test('adds', () => { expect(1 + 1).toBe(2) })\n",
	})
	w.replace("src/disk.ts", "console.log(x)", "console.error(x)")
	got := tests(w.ask(""))
	for _, want := range []string{"test/use.test.ts may_call", "test/imports.test.ts imports",
		"playground/disk/run.spec.ts named_for"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q lack %q", got, want)
		}
	}
	if slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "test/other") }) {
		t.Errorf("a test that has nothing to do with it is named: %q", got)
	}
}

// TestPagesOfTests checks that an answer counts the tests that it cuts, and that its cursor
// continues without gaps or repetitions.
func TestPagesOfTests(t *testing.T) {
	files := map[string]string{"calc.py": "def add(a, b):\n    return a + b\n"}
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		files["tests/test_"+n+".py"] = "from calc import add\n\ndef test_" + n + "():\n    assert add(1, 2) == 3\n"
		files["lib/"+n+".py"] = "from calc import add\n\ndef use_" + n + "():\n    return add(1, 2)\n"
	}
	w := committed(t, files)
	w.replace("calc.py", "a + b", "b + a")
	revision, cursor := "HEAD", ""
	var named, called []string
	for range 10 {
		a := w.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{Diff: &revision}, Limit: 3, Cursor: cursor})
		if a.Impact.TotalTests != 7 || a.Impact.TotalCallers != 7 {
			t.Fatalf("%d tests, %d callers", a.Impact.TotalTests, a.Impact.TotalCallers)
		}
		for _, x := range a.Impact.Tests {
			named = append(named, x.File)
		}
		for _, x := range a.Impact.Callers {
			called = append(called, x.File)
		}
		if a.Truncated == nil {
			break
		}
		if left := 14 - len(named) - len(called); a.Truncated.Omitted != left {
			t.Errorf("%d are said to be left, and %d are", a.Truncated.Omitted, left)
		}
		next := a.Truncated.Next.Args.(*contract.GraphRequest)
		if next.SymbolRef.Diff == nil || next.Cursor != a.Cursor {
			t.Fatalf("the next call is %+v", next)
		}
		cursor = a.Cursor
	}
	slices.Sort(named)
	slices.Sort(called)
	if len(slices.Compact(named)) != 7 || len(slices.Compact(called)) != 7 {
		t.Errorf("pages have %q and %q", named, called)
	}
}

// TestBudgetOfTests checks that a small budget keeps the likeliest tests, and that the answer says
// what it cut.
func TestBudgetOfTests(t *testing.T) {
	files := map[string]string{"calc.py": "def add(a, b):\n    return a + b\n"}
	for n := range 60 {
		name := "tests/some/long/folder/test_case_" + strings.Repeat("x", n) + ".py"
		files[name] = "from calc import add\n\ndef test_it():\n    assert add(1, 2) == 3\n"
	}
	w := committed(t, files)
	w.replace("calc.py", "a + b", "b + a")
	revision := "HEAD"
	a := w.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{Diff: &revision},
		Delivery: contract.Delivery{MaxTokens: 1500}})
	if n := len(a.Impact.Tests); n < 3 || n >= 30 || a.Truncated == nil ||
		a.Truncated.Cause != contract.CauseMaxTokens || a.Truncated.Omitted != 60-n {
		t.Errorf("%d tests, %+v", n, a.Truncated)
	}
	if size := contract.Cost(a); size > 1500 {
		t.Errorf("the answer takes %d tokens", size)
	}
}

// TestServicesBeyond checks that a call from another service is reported as one.
func TestServicesBeyond(t *testing.T) {
	w := committed(t, map[string]string{
		"users/package.json": `{"name":"users"}`,
		"users/Dockerfile":   "FROM node\n",
		"users/src/server.ts": "import express from 'express'\nconst app = express()\n" +
			"function list(req: any, res: any) { res.json([]) }\napp.get('/users', list)\napp.listen(80)\n",
		"web/package.json":       `{"name":"web"}`,
		"web/Dockerfile":         "FROM node\n",
		"web/src/client.ts":      "export async function users() { return fetch('http://users/users') }\n",
		"web/src/client.test.ts": "import { users } from './client'\ntest('lists', () => users())\n",
	})
	w.replace("users/src/server.ts", "res.json([])", "res.json([1])")
	a := w.ask("")
	if s := a.Impact.Services; len(s) != 1 || s[0].Service != "web" || s[0].To != "users" ||
		s[0].File != "web/src/client.ts" || s[0].Via != "GET /users" {
		t.Errorf("services are %+v; changed %q, tests %q", s, changed(a), tests(a))
	}
	same(t, "tests", tests(a), []string{"web/src/client.test.ts calls"})
}

// TestChangeBelowAFolder checks that a folder as the path excludes changes elsewhere.
func TestChangeBelowAFolder(t *testing.T) {
	w := committed(t, shop)
	w.replace("cart/cart.go", "n += x", "n += 2 * x")
	w.replace("mail/mail.go", "return to", "return to + to")
	revision := "HEAD"
	req := contract.GraphRequest{Path: filepath.Join(w.Dir, "mail"), SymbolRef: contract.SymbolRef{Diff: &revision},
		DeadlineMs: contract.MaxDeadline}
	a, err := w.Service.CallGraph(t.Context(), navigatetest.Normal(t, req))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "changed", changed(a), []string{"mail/mail.go Send modified"})
}

// TestInvalidChange checks that the error for invalid input says what is valid.
func TestInvalidChange(t *testing.T) {
	w := committed(t, shop)
	ask := func(dir string, change func(*contract.GraphRequest)) error {
		revision := "HEAD"
		req := contract.GraphRequest{Path: dir, SymbolRef: contract.SymbolRef{Diff: &revision}}
		change(&req)
		if err := req.Normalize(); err != nil {
			return err
		}
		_, err := w.Service.CallGraph(t.Context(), req)
		return err
	}
	revision := func(r string) func(*contract.GraphRequest) {
		return func(req *contract.GraphRequest) { req.SymbolRef.Diff = &r }
	}
	plain := navigatetest.Of(t, map[string]string{"a.go": "package a\n"})
	w.Service = plain.Service
	for _, c := range []struct {
		want   string
		dir    string
		change func(*contract.GraphRequest)
	}{
		{"no git repository", plain.Dir, revision("HEAD")},
		{"expected callers", plain.Dir, func(r *contract.GraphRequest) { r.Direction = contract.DirectionCallees }},
		{"expected graph", plain.Dir, func(r *contract.GraphRequest) { r.View = contract.ViewTree }},
		{"no cursor of a change", plain.Dir, func(r *contract.GraphRequest) { r.Cursor = "g2.xx" }},
		{"either diff or a symbol", plain.Dir, func(r *contract.GraphRequest) { r.SymbolRef.SymbolLabel = "x" }},
	} {
		var invalid *contract.InvalidArguments
		if err := ask(c.dir, c.change); !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
}

func TestUnknownRevision(t *testing.T) {
	w := committed(t, shop)
	revision := "no-such-branch"
	req := navigatetest.Normal(t, contract.GraphRequest{Path: w.Dir, SymbolRef: contract.SymbolRef{Diff: &revision}})
	var invalid *contract.InvalidArguments
	if _, err := w.Service.CallGraph(t.Context(), req); !errors.As(err, &invalid) ||
		!strings.Contains(err.Error(), `"no-such-branch": no such revision`) ||
		!strings.Contains(err.Error(), "expected HEAD") ||
		!strings.Contains(err.Error(), "or ask for the graph of a symbol instead") {
		t.Errorf("%v", err)
	}
}

// TestChangeIsFresh checks that an edit after indexing is in the answer, even one that keeps size
// and time.
func TestChangeIsFresh(t *testing.T) {
	w := committed(t, shop)
	w.ask("")
	w.replace("mail/mail.go", "return to", "return \"\"")
	same(t, "first", changed(w.ask("")), []string{"mail/mail.go Send modified"})
	w.replace("mail/mail.go", "return \"\"", "return to")
	if a := w.ask(""); len(a.Impact.Files) > 0 {
		t.Errorf("undone: %q", changed(a))
	}
	w.replace("mail/mail_test.go", "Send(\"x\")", "Send(\"y\"); _ = 1")
	same(t, "a test", tests(w.ask("")), []string{"mail/mail_test.go changed"})
}

// TestMovedFile checks that a file which was moved leads to the calls in files that still import it from where it was,
// and to none where the imports moved along, or none is needed.
func TestMovedFile(t *testing.T) {
	w := committed(t, map[string]string{
		"package.json": `{"name": "shop"}`,
		"src/utils.ts": "export function total(list: number[]) { return list.length }\n" +
			"export const tax = (n: number) => n\n",
		"src/order.ts":   "import { total } from './utils'\n\nexport function place() { return total([]) }\n",
		"src/bill.ts":    "import { tax } from './utils'\n\nexport function bill() { return tax(1) }\n",
		"src/other.ts":   "import { total } from 'elsewhere'\n\nexport function other() { return total([]) }\n",
		"pay/pay.go":     "package pay\n\nfunc Pay() int { return fee() }\n",
		"pay/fee.go":     "package pay\n\nfunc fee() int { return 1 }\n",
		"src/own.ts":     "function total() { return 1 }\n\nexport function own() { return total() }\n",
		"go.mod":         "module example.com/shop\n\ngo 1.22\n",
		"src/ignored.md": "total\n",
	})
	w.git("mv", "src/utils.ts", "src/helpers.ts")
	w.git("mv", "pay/fee.go", "pay/rate.go")
	w.replace("src/bill.ts", "./utils", "./helpers")
	same(t, "callers", callers(w.ask("HEAD")), []string{"src/order.ts place -> total"})
}

// TestChangeOnRowsInAnotherOrder checks that a change touches the same as on a new index after its files were
// indexed in another order. Two paths of one weight lead from the test to f, which is
// removed: by g and by h.
func TestChangeOnRowsInAnotherOrder(t *testing.T) {
	w := committed(t, map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nfunc f() int { return 1 }\n",
		"h.go":      "package m\n\nfunc h() int { return f() }\n",
		"x_test.go": "package m\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {\n\th()\n\tg()\n}\n",
	})
	w.write("g.go", "package m\n\nfunc g() int { return f() }\n")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "second")
	w.ask("HEAD")
	w.replace("a.go", "f()", "other()")
	got, want := w.ask("HEAD"), (&work{navigatetest.Tracked(t, w.Dir)}).ask("HEAD")
	if len(got.Impact.Tests) != 1 || !reflect.DeepEqual(got.Impact, want.Impact) {
		t.Errorf("%+v\na new index: %+v", got.Impact, want.Impact)
	}
}
