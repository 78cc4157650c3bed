package ruby

import (
	"strings"

	"sextant/l2meta/resolve"
)

// Makes reports whether the workspace may generate a method called name: by attr_writer and
// similar macros, or from text, as define_method("add_#{kind}") does.
func (Language) Makes(w *resolve.World, name string) bool {
	if name == "new" { // X.new runs the method initialize of X
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

// ofLibrary reports whether a program may define a method called name because a library type has
// such a method: rake's FileList defines the methods in Array.instance_methods. It returns false
// for the methods that every object has.
func ofLibrary(name string) bool {
	return standard.Names(name) && !declaresStandard("Object", name)
}
