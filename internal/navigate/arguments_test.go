package navigate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/mcp"
)

// oddWorkspace indexes files whose names, encodings or lines are unusual.
func oddWorkspace(t *testing.T) *navigatetest.Bench {
	t.Helper()
	var big strings.Builder
	for i := range 150 {
		fmt.Fprintf(&big, "// Do%d calls the next one, as the token says.\nfunc Do%d(token string) error {\n"+
			"\tif token == \"\" {\n\t\treturn Do%d(token)\n\t}\n\treturn nil\n}\n\n", i, i, (i+1)%150)
	}
	b := navigatetest.Of(t, map[string]string{
		"go.mod":        "module example.com/odd\n",
		"big/big.go":    "package big\n\n" + big.String(),
		"a b/sp ace.go": "package a\n\nfunc SpaceToken(token string) { Other() }\n\nfunc Other() {}\n",
		"br[x]/we*ird?.go": "package br\n\ntype Server struct{}\n\nfunc (s *Server) Handle(token string) { s.run() }\n\n" +
			"func (s *Server) run() {}\n",
		"new\nline/x.go": "package nl\n\nfunc NewlineToken() { NewlineToken() }\n",
		"quote\"d/it's.py": "def token_py(a):\n    return token_py(a)\n\nclass Server:\n    def handle(self):\n" +
			"        token_py(1)\n",
		"conf.d/server.py": "def configured(token):\n    return token\n",
		"pct%20/p%41.js":   "export function tokenJs(a) { return tokenJs(a) }\n",
		"crlf.go":          "package odd\r\n\r\nfunc Crlf(token string) {\r\n\tCrlf(token)\r\n}\r\n",
		"cr.py":            "def lone_cr(token):\r    return lone_cr(token)\r",
		"min.js":           "function m(token){return m(token)};" + strings.Repeat("var a=function(){return 'token'};", 4000),
		"empty.go":         "",
		"noeol.go":         "package odd\n\nfunc NoEOL(token string) { NoEOL(token) }",
		"latin1.py":        "def latin1(token):\n    return 'caf\xe9' # token\n\ndef last():\n    x = 'token \xe9\xe9\xe9'",
		"nul.txt":          "token\x00token\n",
		"utf16.cs":         "\xff\xfec\x00l\x00a\x00s\x00s\x00 \x00U\x00 \x00{\x00 \x00}\x00\n\x00",
		"bom.go":           "\ufeffpackage odd\n\nfunc Bom(token string) { Bom(token) }\n",
		"unicode/İK.go":    "package u\n\n// Kelvin K token\nfunc İstanbul(token string) { İstanbul(token) }\n",
		"docs/README.md":   "# token\n\nThe token is kept.\n\n## Server.Handle\n\ntoken\n",
		"case/File.go":     "package c\n\nfunc Upper(token string) { lower() }\n",
		"case/file.go":     "package c\n\nfunc lower() {}\n",
		"x.go:12":          "package x // token\n",
		"bad\xff name.go":  "package bad\n\nfunc BadName(token string) { BadName(token) }\n",
		"api/x_test.go":    "package api\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { X(\"token\") }\n",
		"api/x.go": "package api\n\nfunc X(token string) { Y(token) }\n\nfunc Y(token string) { X(token) }\n\n" +
			"type I interface{ Do() }\n\ntype A struct{}\n\nfunc (A) Do() { X(\"\") }\n\nfunc All(i I) { i.Do() }\n",
	})
	for name, to := range map[string]string{"api/loop": "..", "outside": "/nonexistent"} {
		if err := os.Symlink(to, filepath.Join(b.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// caller makes random calls of the tools.
type caller struct {
	*rand.Rand
	dir    string
	files  []string // relative paths, of folders and missing files too
	server *mcp.Server
	t      *testing.T
}

var (
	someQueries = []any{"token", "must:token", "regex:tok.n", "must:token kind:method", "exclude:token",
		"where is the token handled", "Server.Handle", "path:br[x]/** must:token", "path:api/**", "\"token\" x",
		"lang:go must:token exclude:Do", "kind:function", "returns:error", "param:string", "annotation:X", "must:\"\"",
		"must:", "regex:(", "regex:^", "regex:$", "*", "[", "\\", "\"", "GET /x", "İstanbul", "K", "X", "service:odd x",
		"service:none x", "lang:nope x", "path:**/we*ird* token", "must:é", "-path:api/** token", "kind:nope x", "x.go",
		"sp ace.go", "Do1", strings.Repeat("token ", 100), []string{"token", "must:X"}}
	someSymbols = []any{"Server.Handle", "X", "Do", "A.Do", "Do3", "token_py", "api/x.go:5", "api/x.go", "api", "api/...",
		"br[x]/we*ird?.go:Server", "Handle", "", "(*Server).Handle", "İstanbul", "x.go:12", "BadName", "new\nline/x.go:3",
		`"new\nline/x.go":3`, "big", "GET /x", ".", "::", "<T>", "Nope", "a b/sp ace.go:3", "lone_cr", "min.js:m",
		"crlf.go:3-4", "case/file.go", "conf.d", "All", "I.Do", map[string]any{"symbolLabel": "X", "file": "api/x.go"},
		map[string]any{"file": "big/big.go"}, []string{"X", "Y"}}
	someLines = []any{0, 1, 3, 5, 100, 1 << 30, -5}
)

// one returns one of the values.
func (c *caller) one(values ...any) any { return values[c.IntN(len(values))] }

// file returns one of the paths.
func (c *caller) file() any { return c.files[c.IntN(len(c.files))] }

// call returns a random call. Each of its optional arguments is there with a probability of 0.3.
func (c *caller) call() (tool string, args map[string]any) {
	args = map[string]any{}
	maybe := func(name string, values ...any) {
		if c.Float64() < .3 {
			args[name] = c.one(values...)
		}
	}
	maybe("path", c.dir+"/api", c.dir+"/br[x]", c.dir+"/conf.d", c.dir+"/a b", c.dir+"/new\nline", c.dir+"/api/x.go",
		c.dir+"/api/loop", c.dir+"/missing", "api", "", c.dir+"/outside")
	maybe("maxTokens", 200, 250, 400, 700, 1500, 25000, 0, -1, 99999999, "1000")
	maybe("format", "json", "text")
	maybe("detail", "compact", "full", "summary", "skeleton", "bodies")
	maybe("limit", 0, 1, 2, 5, 50, 501, -3)
	maybe("cursor", "r1", "r3", "r999", "0.0@1", "99.0@1", "9223372036854775807.0@1", "0", "1", "1000000", "g1.1.1.0",
		"i0.0", "x")
	switch c.IntN(4) {
	case 0:
		args["query"] = c.one(someQueries...)
		maybe("scope", "runtime", "mixed", "docs")
		maybe("groupBy", "symbol", "file")
		maybe("context", 0, 1, 10, 11)
		maybe("resultMode", "grouped", "raw")
		return contract.ToolSearch, args
	case 1:
		args["file"] = c.file()
		maybe("start_line", someLines...)
		maybe("end_line", someLines...)
		maybe("exported", true, false)
		maybe("limitSymbols", 1, 2, 6000)
		return contract.ToolOutline, args
	case 2:
		args["symbolRef"] = c.one(someSymbols...)
		maybe("direction", "both", "callers", "callees")
		maybe("depth", 0, 2, 3, 12)
		maybe("view", "graph", "tree", "mermaid")
		maybe("expand", []string{"tests", "dynamic"})
		maybe("include", []string{"api/**"}, []string{"br[x]/**"}, []string{""}, []string{"["})
		maybe("exclude", []string{"*_test.go"}, []string{"**"})
		return contract.ToolGraph, args
	}
	maybe("mode", "plain", "annotated")
	maybe("start_line", someLines...)
	maybe("end_line", someLines...)
	maybe("identifiers", []string{"token"}, []string{"zzz"}, []string{"K", "é"}, []string{"return"})
	if args["file"] = c.file(); c.IntN(2) == 0 {
		delete(args, "file")
		args["open_symbol"] = c.one(append(someSymbols, map[string]any{"start_line": 1, "end_line": 60},
			map[string]any{"symbolLabel": "Do3", "contractVersion": 2, "context": map[string]any{"maxLines": 2}})...)
	}
	return contract.ToolRead, args
}

// TestSoakArguments makes random calls on odd files. None may fail unexpectedly or exceed its budget by far, and the
// calls that an answer suggests must be valid and lead on. SEXTANT_SOAK is the number of calls, 150 by default.
func TestSoakArguments(t *testing.T) {
	b := oddWorkspace(t)
	c := &caller{Rand: rand.New(rand.NewPCG(1, 2)), dir: b.Dir, t: t, server: mcp.NewServer(mcp.Options{Dir: b.Dir,
		Open: func(context.Context) (mcp.Service, error) { return b.Service, nil }})}
	c.files = []string{"missing.go", "api/x.go:3-5", "", "./api/x.go", "api/loop/api/x.go", "../x.go"}
	err := filepath.WalkDir(b.Dir, func(path string, _ fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(b.Dir, path)
		c.files = append(c.files, rel)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rounds, err := strconv.Atoi(os.Getenv("SEXTANT_SOAK"))
	if err != nil {
		rounds = 150
	}
	for range rounds {
		tool, args := c.call()
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		text, isError := c.ask(tool, raw)
		if most := budgetOf(tool, args); !isError && most >= 1000 && contract.Tokens(text) > most+most/5+200 {
			t.Errorf("%s %s: %d tokens instead of %d", tool, raw, contract.Tokens(text), most)
		}
		if !utf8.ValidString(text) && tool != contract.ToolRead {
			t.Errorf("%s %s: not UTF-8: %.300q", tool, raw, text)
		}
		c.follow(tool, raw, text)
	}
}

// ask calls a tool. An unexpected failure is an error of the test.
func (c *caller) ask(tool string, args json.RawMessage) (text string, isError bool) {
	c.t.Helper()
	text, isError, err := c.server.Call(c.t.Context(), tool, args)
	if err != nil || isError && strings.Contains(text, string(contract.ReasonInternal)) {
		c.t.Errorf("%s %s: %v %.500s", tool, args, err, text)
	}
	return text, isError
}

// budgetOf returns the token budget of a call, 0 if it has several.
func budgetOf(tool string, args map[string]any) int {
	for _, v := range args {
		if _, several := v.([]string); several {
			return 0
		}
	}
	most := contract.DefaultMaxTokens
	if tool == contract.ToolRead || args["detail"] == "bodies" {
		most = contract.DefaultReadTokens
	}
	switch n := args["maxTokens"].(type) {
	case int:
		if n != 0 {
			most = min(max(n, contract.MinMaxTokens), contract.MaxMaxTokens)
		}
	case string:
		most = 1000
	}
	return most
}

// mostPages bounds the pages that are read of one answer.
const mostPages = 12

// follow makes the calls that go on with an answer as JSON, one after the other. Each must differ from the one before.
func (c *caller) follow(tool string, args json.RawMessage, text string) {
	c.t.Helper()
	for range mostPages {
		var page struct {
			Truncated *struct {
				Shown, Omitted int
				Next           *struct {
					Tool string
					Args json.RawMessage
				}
			}
		}
		if json.Unmarshal([]byte(text), &page) != nil || page.Truncated == nil || page.Truncated.Next == nil {
			return
		}
		next := page.Truncated.Next
		if page.Truncated.Shown < 0 || page.Truncated.Omitted < 0 || string(next.Args) == string(args) {
			c.t.Errorf("%s %s does not go on: %.500s", tool, args, text)
			return
		}
		isError := false
		if text, isError = c.ask(next.Tool, next.Args); isError {
			c.t.Errorf("%s %s suggests %s: %.500s", tool, args, next.Args, text)
			return
		}
		tool, args = next.Tool, next.Args
	}
}
