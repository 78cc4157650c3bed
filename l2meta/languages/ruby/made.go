package ruby

import (
	"strings"

	"sextant/l2meta/resolve"
)

// Makes reports whether the workspace may have a method of that name that is
// made by attr_writer and its like, or by a pattern of names (makeNames).
func (Language) Makes(w *resolve.World, name string) bool {
	if name == "new" { // X.new runs the initialize of X
		return true
	}
	bears := func(name string) bool { return w.Bears("ruby", name) }
	stem := strings.TrimRight(name, "?!=")
	mark := name[len(stem):]
	if mark == "=" && bears(stem) || mark != "" && bears(anyPart+mark) && bears(stem) {
		return true
	}
	if bears(anyPart) && ofLibrary(name) {
		return true
	}
	for i := range len(name) - 1 {
		if name[i] == '_' && (i > 0 && bears(name[:i+1]+anyPart) || bears(anyPart+name[i:])) {
			return true
		}
	}
	return false
}

// ofLibrary reports whether a program may make a method of that name by the
// names of a library's type, as rake's FileList does by Array.instance_methods.
// What every object has it leaves alone.
func ofLibrary(name string) bool {
	return standard.Names(name) && !declaresStandard("Object", name)
}
