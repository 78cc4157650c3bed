package workspace

import (
	"path/filepath"
	"strings"
	"testing"
)

// Invalid parts of a configuration file are reported with their line, and the
// valid parts still apply.
func TestConfigurationProblems(t *testing.T) {
	for _, c := range []struct {
		file, text string
		ignored    bool     // whether "big/" is then ignored
		problems   []string // substrings
	}{
		{"sextant.toml", "[index]\nignore = [\"big/\"]\n", true, nil},
		{"sextant.toml", "[index\nignore = [\"big/\"]\n", false, []string{"line 1: "}},
		{"sextant.toml", "[index]\nignore = \"big/\"\n", false, []string{"line 2: "}},
		{"sextant.toml", "[index]\nignore = [\"big/\"]\nignroe = [\"x\"]\n", true,
			[]string{`line 3: there is no key "index.ignroe"; index.ignore is the nearest`}},
		{"sextant.toml", "profile = \"minimal\"\n[index]\nignore = [\"big/\"]\n", true,
			[]string{`line 1: "profile" belongs below [index]`}},
		{"sextant.toml", "[index]\nignore = [\"big/\"]\nzebra = 1\n[embedder]\nuse = \"off\"\n", true,
			[]string{`line 3: there is no key "index.zebra"; known are index.profile, index.ignore, index.extensions,`,
				`"embedder" is only read from`}},
		{"sextant.toml", "[index]\nignore = [\"big/\"]\n[[declare]]\nfunction = \"f\"\ntransport = \"soap\"\n" +
			"[[declare]]\nfunction = \"g\"\ntransport = \"http\"\npath = 0\npth = 1\n", true,
			[]string{`line 10: there is no key "declare.pth"; declare.path is the nearest`,
				`[[declare]] 1: transport of f is "soap"; want http, publish or consume`}},
		{"sextant.toml", "[Index]\nignore = [\"big/\"]\n", true, nil},
		{"satori.toml", "[index]\nignore = [\"big/\"]\n[satori]\nx = 1\n", true, nil},
		{"satori.toml", "[index\n", false, []string{"satori.toml: line 1: "}},
	} {
		root := t.TempDir()
		writeFile(t, filepath.Join(root, c.file), c.text)
		writeFile(t, filepath.Join(root, "big", "a.go"), "package a")
		tree := openTree(t, root, Policy{})
		scanAll(t, tree)
		if got := tree.Ignored("big/a.go", false); got != c.ignored {
			t.Errorf("%q: big/a.go ignored is %v", c.text, got)
		}
		got := tree.Problems()
		if len(got) != len(c.problems) {
			t.Errorf("%q: problems %q", c.text, got)
			continue
		}
		for i, want := range c.problems {
			if !strings.Contains(got[i], want) || !strings.HasPrefix(got[i], root) {
				t.Errorf("%q: problem %q, expected %q", c.text, got[i], want)
			}
		}
	}
}
