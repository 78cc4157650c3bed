package languages_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// markerText matches a text with a marker or the beginning of one, and those names of markers that
// have no other meaning in this module.
var markerText = regexp.MustCompile(
	`^#$|#(each|key|with|except|by|some|ok|err|arg|param|out|in)\b|#(p|=|%[dsv]|\d)|^(each|except)$`)

// ownTexts are the texts with a '#' that mean something else.
var ownTexts = map[string][]string{
	"syntax/comment.go":                     {"#"},             // comments
	"expr/operand.go":                       {"#"},             // r#"raw"#
	"languages/rust/rules_tokens.go":        {"#"},             // #[derive(…)]
	"languages/rust/rules_items.go":         {"#"},             // #[cfg(…)]
	"languages/swift/rules.go":              {"#"},             // #if
	"languages/csharp/rules.go":             {"#"},             // #if
	"languages/ruby/endpoints_rails.go":     {"#", "except"},   // controller#action
	"languages/elixir/rules_names.go":       {"except"},        // the option of import
	"languages/elixir/endpoints_routes.go":  {"except"},        // the option of resources
	"languages/php/endpoints_routes.go":     {"except"},        // Laravel's option
	"languages/jvm/scala_eval.go":           {"each"},          // a term of Scala's rules
	"languages/jvm/table.go":                {"#"},             // members of a library's table
	"languages/python/rules_scopes.go":      {"except"},        // the statement of a FactBlock
	"languages/typescript/modules.go":       {"#"},             // imports of package.json
	"languages/typescript/endpoints.go":     {"#"},             // the same
	"languages/typescript/resolve.go":       {"#"},             // this.#private
	"languages/typescript/members.go":       {"#"},             // types without a text
	"languages/typescript/values.go":        {"#"},             // this.#private
	"languages/typescript/library_table.go": {"#each", "#key"}, // members of a library's table
}

// TestMarkersAreWrittenInOnePlace checks that rules and resolution spell markers only through the
// functions of code.Marker, code.Form and code.Place. The facts about services have a notation of
// their own.
func TestMarkersAreWrittenInOnePlace(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "services" || name == "endpoint" || name == "proxies" || name == "languages/data" ||
			name == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil || !markerText.MatchString(text) {
				return true
			}
			for _, own := range ownTexts[name] {
				if own == text {
					used[name+" "+own] = true
					return true
				}
			}
			t.Errorf("%s: %s: write and read markers by internal/code/marker.go",
				set.Position(literal.Pos()), literal.Value)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, texts := range ownTexts {
		for _, own := range texts {
			if !used[name+" "+own] {
				t.Errorf("%s: %q does not occur any more", name, own)
			}
		}
	}
}
