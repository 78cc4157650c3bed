package proof

import "testing"

func TestModuleAt(t *testing.T) {
	for file, want := range map[string]string{
		"/w/node_modules/lodash/index.d.ts":                     "lodash",
		"/w/node_modules/a/node_modules/@types/node/fs.d.ts":    "@types/node",
		"/go/pkg/mod/github.com/x/y@v1.2.0/z/z.go":              "github.com/x/y/z",
		"/usr/local/go/src/fmt/print.go":                        "fmt",
		"/w/.venv/lib/python3.12/site-packages/requests/api.py": "requests",
		"/opt/typeshed/stdlib/os.pyi":                           "os",
		"/usr/include/stdio.h":                                  "",
	} {
		if got := moduleAt(file); got != want {
			t.Errorf("moduleAt(%q) = %q, want %q", file, got, want)
		}
	}
}
