package languages_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// A class bears a name that too many declarations of the workspace bear to be
// listed: its construction stays open, and ends neither the question nor the
// process.
func TestRubyClassOfACommonName(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"dot.rb":    "class Dot\n  INSTANCE = new\n  def self.make\n    new\n  end\nend\n",
		"common.js": strings.Repeat("function Dot() {}\n", 2100),
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := languagetest.Indexed(t, dir)
	if got := edges(t, root, resolve.NewCache(languages.All, nil))["dot.rb"]; strings.Count(got, "new") != 2 {
		t.Errorf("the calls are\n%s", got)
	}
	settle(t, root, resolve.NewCache(languages.All, nil))
}
