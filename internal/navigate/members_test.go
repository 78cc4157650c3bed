package navigate_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// members is a workspace of three repositories that call each other.
var members = map[string]string{
	"orders/go.mod": "module example.com/orders\n\ngo 1.24\n\nrequire example.com/money v0.0.0\n\n" +
		"replace example.com/money => ../money\n",
	"orders/main.go": "package main\n\nimport (\n\t\"net/http\"\n\n\t\"example.com/money\"\n)\n\n" +
		"func main() { http.HandleFunc(\"/orders\", list) }\n\n" +
		"func list(w http.ResponseWriter, r *http.Request) { total() }\n\nfunc total() int { return money.Sum(1, 2) }\n",
	"orders/Dockerfile":   "FROM scratch\nCOPY orders /\n",
	"orders/.gitignore":   "/out/\n*.log\n",
	"orders/out/gen.go":   "package out\n\nfunc Hidden() {}\n",
	"orders/.github/a.md": "# Note on orders-topic\n",
	"money/go.mod":        "module example.com/money\n\ngo 1.24\n",
	"money/money.go": "package money\n\n// Sum adds amounts.\nfunc Sum(list ...int) (n int) {\n" +
		"\tfor _, x := range list {\n\t\tn = add(n, x)\n\t}\n\treturn n\n}\n\nfunc add(a, b int) int { return a + b }\n",
	"money/vendor/k/k.go": "package k\n\nfunc Vendored() {}\n",
	"web/package.json":    `{"name":"web","dependencies":{"left":"1"}}`,
	"web/src/app.ts":      "import {send} from './net';\nexport function start() { send('/orders'); }\n",
	"web/src/net.ts":      "export function send(url: string) { return fetch(`http://orders${url}`); }\n",
	"web/src/app.test.ts": "import {start} from './app';\ntest('starts', () => start());\n",
	".gitignore":          "*.tmp\n",
	"web/x.tmp":           "ignored by the workspace\n",
	"README.md":           "# Three services\n",
}

// passing matches the fields of an answer that depend on the time or on the directory of the
// workspace.
var passing = regexp.MustCompile(
	`,?"(checkedAt|lastSyncAt|indexedAt|validatedAt|builtAt|durationMs|ageMs|acceptedAt|lastDurableTransitionAt|id|etaMs|bytes|generation|cursor)":("[^"]*"|\d+)`)

// TestMembersAnswerAlike checks that the answers about a workspace are the same whether its members
// are checkouts or plain folders.
func TestMembersAnswerAlike(t *testing.T) {
	answers := map[string]map[string]string{}
	for _, kind := range []string{"plain", "checkouts"} {
		b := navigatetest.Of(t, nil)
		for file, text := range members {
			b.Write(file, text)
		}
		if kind == "checkouts" {
			for _, m := range []string{"orders", "money", "web"} {
				member := b.At(filepath.Join(b.Dir, m))
				member.Git("init", "-q", "-b", "main")
				member.Git("add", "-A")
				member.Git("commit", "-q", "-m", "x")
			}
		}
		b.Manage(contract.ManageRequest{Action: contract.ManageReindex, Path: b.Dir, Wait: true})
		answers[kind] = everything(b)
	}
	for name, want := range answers["plain"] {
		if got := answers["checkouts"][name]; got != want {
			t.Errorf("%s:\n%s\nof plain folders:\n%s", name, got, want)
		}
	}
	if len(answers["plain"]) < 20 {
		t.Errorf("only %d answers", len(answers["plain"]))
	}
}

// everything returns answers of all six tools, without the fields that passing matches.
func everything(b *navigatetest.Bench) map[string]string {
	b.T.Helper()
	out := map[string]string{}
	keep := func(name string, answer any, err error) {
		b.T.Helper()
		text, failed := contract.Encode(answer)
		if err != nil || failed != nil {
			b.T.Fatal(name, err, failed)
		}
		out[name] = passing.ReplaceAllString(strings.ReplaceAll(string(text), b.Dir, "/ws"), "")
	}
	for _, q := range []string{"sum of amounts", "where are orders listed", "must:orders", "regex:func.*\\(",
		"path:**/Dockerfile", "Vendored", "Hidden", "service:web send", "lang:go add", "orders-topic"} {
		a := b.Search(contract.SearchRequest{Query: q, Detail: contract.DetailFull})
		keep("search "+q, a, nil)
	}
	for _, s := range []string{"Sum", "total", "add", "list", "send", "start", "money/", "orders/", "web/...",
		"web/src/net.ts", "example.com/money"} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: s}, Depth: 4,
			View: contract.ViewTree})
		if a.Status != contract.StatusOK {
			b.T.Errorf("%s: %+v", s, a.Outcome)
		}
		keep("graph "+s, a, nil)
	}
	for _, f := range []string{"orders/main.go", "web/src/net.ts"} {
		keep("outline "+f, b.Outline(f), nil)
		a, err := b.Read(contract.ReadRequest{Path: filepath.Join(b.Dir, f), Mode: contract.ReadAnnotated})
		keep("read "+f, a, err)
	}
	status := b.Status()
	keep("services", status.Services, nil)
	keep("coverage", status.Coverage, nil)
	keep("tiers", status.Tiers.L2, nil)
	list, err := b.Service.ListCodebases(b.T.Context(), contract.ListRequest{})
	if err != nil || len(list.Ready) != 1 {
		b.T.Fatal(list, err)
	}
	keep("list", list.Ready[0].Services, nil)
	return out
}
