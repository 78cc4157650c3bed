package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// leavesOf joins the leaves of a manifest as "POINTER=VALUE".
func leavesOf(path, text string) string {
	var out []string
	for _, f := range Facts(path, []byte(text)) {
		out = append(out, f.Name+"="+f.Type)
	}
	return strings.Join(out, " ")
}

// TestManifests checks the leaves of each kind of manifest, and that other files have none.
func TestManifests(t *testing.T) {
	const toml = "[package]\nname = \"a\"\nversion = 3\n[workspace]\nmembers = [\"b\", \"c\"]\n"
	for _, c := range []struct{ path, text, want string }{
		{"a/go.mod", "module m/a\n\ngo 1.22\n\nreplace (\n\tm/b => ../b\n\tm/c v1.0.0 => m/d v1.1.0\n)\n",
			"/module=m/a /replace/0/new=../b /replace/0/old=m/b /replace/1/new=m/d /replace/1/old=m/c"},
		{"go.mod", "module m\n\nnewdirective x\n", "/module=m"},
		{"go.work", "go 1.22\n\nuse ./a\nuse ./b\n\nreplace m/b => ./b\n",
			"/replace/0/new=./b /replace/0/old=m/b /use/0=./a /use/1=./b"},
		{"web/tsconfig.base.json",
			"{ // why\n\"paths\": {\"@a/*\": [\"src/*\",],\n\"~b/c\": [\"d\"]}, \"strict\": true, \"n\": 3 }",
			"/paths/@a~1*/0=src/* /paths/~0b~1c/0=d /strict=true"},
		{"package.json", `{"name": "a", "exports": {".": {"import": "./a.mjs"}}, "private": false, "x": null}`,
			"/exports/./import=./a.mjs /name=a /private=false"},
		{"jsconfig.json", `{"baseUrl": "src"}`, "/baseUrl=src"},
		{"deno.json", `{"imports": {"a": "b"}}`, "/imports/a=b"},
		{"composer.json", `{"autoload": {"psr-4": {"A\\": "src/"}}}`, `/autoload/psr-4/A\=src/`},
		{"Cargo.toml", toml, "/package/name=a /workspace/members/0=b /workspace/members/1=c"},
		{"pyproject.toml", toml, "/package/name=a /workspace/members/0=b /workspace/members/1=c"},
		{"pnpm-workspace.yaml", "packages:\n  - 'a/*'\n  - b\n", "/packages/0=a/* /packages/1=b"},
		{"package.json", "{", ""}, {"Cargo.toml", "[", ""}, {"pnpm-workspace.yaml", "a: [", ""}, {"go.work",
			"use (", ""},
		{"tsconfig.txt", "{\"a\": \"b\"}", ""}, {"mytsconfig.json", "{\"a\": \"b\"}", ""}, {"other.toml", toml, ""},
		{"package.json.bak", "{\"a\": \"b\"}", ""},
	} {
		if got := leavesOf(c.path, c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
}

// TestManifestsAreBounded checks the bounds on the text and on the leaves.
func TestManifestsAreBounded(t *testing.T) {
	var many strings.Builder
	for i := range maxManifestLeaves + 10 {
		fmt.Fprintf(&many, "%q: \"x\",\n", fmt.Sprint("k", i))
	}
	if got := Facts("package.json", []byte("{"+many.String()+"}")); len(got) != maxManifestLeaves {
		t.Errorf("%d leaves", len(got))
	}
	long := `{"a": "` + strings.Repeat("x", maxManifestBytes) + `"}`
	if got := Facts("package.json", []byte(long)); got != nil {
		t.Errorf("%d leaves of a text beyond the bound", len(got))
	}
}
