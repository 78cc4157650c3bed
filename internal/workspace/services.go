package workspace

import (
	"path/filepath"
	"slices"

	"sextant/internal/code"
	"sextant/internal/declared"
	"sextant/internal/deployable"
)

// maxManifestBytes bounds the size of a manifest. Some generated package.json files have a
// megabyte.
const maxManifestBytes = 1 << 20

// RuleFileName reports whether a file of that name, in any directory, contains rules that decide
// which files are ignored. If one changes, the set of indexed files may change.
func RuleFileName(base string) bool {
	return base == ".git" || base == gitRuleFile || slices.Contains(ownRuleFiles[:], base) ||
		slices.Contains(configFiles[:], base)
}

// EvidenceName reports whether the presence of a file of that name decides
// whether a directory is the output of a tool: with Cargo.toml, the directory
// target beside it is one.
func EvidenceName(base string) bool {
	return traitsOf([]dirent{{name: base}})&^(hasGit|hasGitRules|hasOwnRules) != 0
}

// Declared returns the calls between services that the workspace declares in its sextant.toml.
func (t *Tree) Declared() []declared.Call {
	b, _ := t.inForce()
	return b.declared
}

// Services returns the services of the workspace, ordered by Root. files lists the paths of all
// indexed files; Services reads the manifests among them. Manifests in vendored code and in
// fixtures do not count. Unless read is nil, Services calls it with the path and the text of each
// file that it reads; the text is nil for an unreadable file.
func (t *Tree) Services(files []string, read func(path string, text []byte)) []deployable.Service {
	own := make([]string, 0, len(files))
	for _, p := range files {
		if c := Classify(p, nil); c != code.ClassVendor && c != code.ClassFixture {
			own = append(own, p)
		}
	}
	slices.Sort(own)
	return deployable.Find(deployable.Source{Name: filepath.Base(t.root), Files: own, Read: func(p string) []byte {
		if _, counts := slices.BinarySearch(own, p); !counts {
			return nil
		}
		text, _, err := t.Read(p, maxManifestBytes)
		if err != nil {
			text = nil
		}
		if read != nil {
			read(p, text)
		}
		return text
	}})
}
