package ruby

import (
	"strings"

	"sextant/l2meta/resolve"
)

// Makes reports whether the workspace may generate a method called name: by attr_writer and the
// like, or from text, as define_method("add_#{kind}") does.
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

// ofLibrary reports whether a program may define a method called name from the method names of a
// library type, as rake's FileList does with Array.instance_methods. It excludes the methods of
// every object.
func ofLibrary(name string) bool {
	return standard.Names(name) && !declaresStandard("Object", name)
}
