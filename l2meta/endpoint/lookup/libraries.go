package lookup

import (
	"path"
	"strconv"
	"strings"

	"sextant/l2meta/manifest"
	"sextant/l2meta/resolve"
)

// Uses reports whether the version of a library that the module of a file requires satisfies
// limit, such as "proxy<3" or "proxy>=3". If no manifest states the version, it counts as lower
// than any limit.
func (ws *Workspace) Uses(f *resolve.File, limit string) bool {
	library, bound, older := strings.Cut(limit, "<")
	if !older {
		library, bound, _ = strings.Cut(limit, ">=")
	}
	least, err := strconv.Atoi(bound)
	return err == nil && older == (ws.major(f, library) < least)
}

// major returns the major version of a library that the nearest manifest above a file requires, 0 if none does.
func (ws *Workspace) major(f *resolve.File, library string) int {
	for dir := f.Dir; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		for _, base := range manifest.Requirers {
			if m := ws.World.File(path.Join(dir, base)); m != nil {
				if n, ok := manifest.Major(m.Leaf, library); ok {
					return n
				}
			}
		}
		if dir == "" {
			return 0
		}
	}
}
