package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// entriesOf returns the entries of a map, one a line: "a.go: 3 T, 9 F +1".
func entriesOf(m *contract.FolderMap) string {
	var out []string
	for _, e := range m.Entries {
		line := e.Path
		if e.Service != "" {
			line += " is " + e.Service
		}
		for i, s := range e.Symbols {
			line += map[bool]string{true: ": ", false: ", "}[i == 0] + fmt.Sprintf("%d %s", s.Line, s.SymbolLabel)
		}
		if e.Hidden > 0 {
			line += fmt.Sprintf(" +%d", e.Hidden)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func mapOf(t *testing.T, b *navigatetest.Bench, r contract.OutlineRequest) *contract.OutlineAnswer {
	t.Helper()
	if r.Path == "" {
		r.Path = b.Dir
	}
	a, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, r))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestFolderMap(t *testing.T) {
	files := map[string]string{
		"go.mod":    "module m\n",
		"README.md": "# m\n",
		"api/server.go": "package api\n\ntype Server struct{}\n\nfunc (s *Server) Serve() {}\n\n" +
			"func (s *Server) close() {}\n",
		"api/server_test.go":    "package api\n\nfunc TestServe() {}\n",
		"api/many.go":           "package api\n\nfunc help() {}\n",
		"api/deep/only/leaf.go": "package only\n\nfunc Leaf() {}\n",
		"web/Dockerfile":        "FROM scratch\n",
		"web/main.go":           "package main\n\nfunc main() {}\n",
		"shop/Dockerfile":       "FROM scratch\n",
		"shop/main.go":          "package main\n\nfunc main() {}\n",
		"shop/go.mod":           "module shop\n",
		"web/go.mod":            "module web\n",
		"compose.yaml":          "services:\n  web:\n    build: ./web\n  shop:\n    build: ./shop\n",
		"docs/a.md":             "# a\n",
	}
	for i := range 20 {
		files["api/many.go"] += fmt.Sprintf("\nfunc F%02d() {\n%s}\n", i, strings.Repeat("\thelp()\n", i))
	}
	for i := range 40 {
		files[fmt.Sprintf("data/x/y/%d.go", i)] = "package y\n"
	}
	b := navigatetest.Of(t, files)
	root := mapOf(t, b, contract.OutlineRequest{})
	want := "shop/ is shop\nweb/ is web\napi/\ndata/x/y/\ndocs/\nREADME.md\ncompose.yaml\ngo.mod"
	if got := entriesOf(root.Folder); got != want || root.Folder.Folder != "." || root.Folder.Files != len(files) {
		t.Errorf("%s %d:\n%s\nwant\n%s", root.Folder.Folder, root.Folder.Files, got, want)
	}
	// Of many symbols the largest are shown; one type alone goes with its methods, and a small folder
	// with the files below it.
	want = "deep/only/leaf.go: 3 Leaf\nmany.go: 57 F08, 68 F09, 80 F10, 93 F11, 107 F12, 122 F13, 138 F14, 155 F15, " +
		"173 F16, 192 F17, 212 F18, 233 F19 +8\n" +
		"server.go: 3 Server, 5 Server.Serve\nserver_test.go"
	api := mapOf(t, b, contract.OutlineRequest{File: "api/"})
	if got := entriesOf(api.Folder); got != want || api.Unexported != 2 || api.Folder.Hidden != 8 {
		t.Errorf("%d unexported, %d hidden:\n%s\nwant\n%s", api.Unexported, api.Folder.Hidden, got, want)
	}
	no := false
	all := mapOf(t, b, contract.OutlineRequest{File: "api", Exported: &no, Detail: contract.DetailFull})
	if got := entriesOf(all.Folder); !strings.Contains(got, "3 help, 5 F00, 8 F01") ||
		!strings.Contains(got, "7 Server.close") || all.Unexported+all.Folder.Hidden != 0 {
		t.Errorf("all:\n%s", got)
	}
	if below := mapOf(t, b, contract.OutlineRequest{Path: b.Dir + "/api"}); entriesOf(below.Folder) != want {
		t.Errorf("by its path:\n%s", entriesOf(below.Folder))
	}
	if none := mapOf(t, b, contract.OutlineRequest{File: ".git"}); none.Reason != contract.ReasonMissingFile {
		t.Errorf("a folder that is not indexed: %+v", none.Outcome)
	}
	// Pages go through all entries once.
	var pages []string
	for cursor := ""; ; {
		a := mapOf(t, b, contract.OutlineRequest{File: "data/x/y", Cursor: cursor,
			Delivery: contract.Delivery{MaxTokens: 700}})
		pages = append(pages, strings.Fields(entriesOf(a.Folder))...)
		if cursor = a.Cursor; cursor == "" {
			break
		}
	}
	if len(pages) != 40 {
		t.Errorf("pages of %d entries: %v", len(pages), pages)
	}
	b.Edit("api/server.go", func(s string) string { return s + "\ntype Added struct{}\n" })
	if a := mapOf(t, b, contract.OutlineRequest{File: "api"}); !strings.Contains(entriesOf(a.Folder), "Added") {
		t.Error("an edit is not in the map")
	}
}
