package manifest

import (
	"strconv"
	"strings"
)

// Requirers are the names of manifests that list the libraries of a module together with their versions.
var Requirers = []string{"package.json"}

// Major returns the major version of a library that a manifest requires, which is the first
// number of the version: 3 for "^3.0.5". It returns false if the manifest does not require the
// library or names no number. leaf returns the value at a JSON pointer of the manifest.
func Major(leaf func(pointer string) string, library string) (int, bool) {
	for _, list := range []string{"/dependencies/", "/devDependencies/", "/peerDependencies/"} {
		version := strings.TrimLeft(leaf(list+pointerEscape.Replace(library)), "^~>=v ")
		digits, _, _ := strings.Cut(version, ".")
		if n, err := strconv.Atoi(digits); err == nil {
			return n, true
		}
	}
	return 0, false
}
