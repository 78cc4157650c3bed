package golang

import "sextant/l2meta/resolve"

// Shape returns the shape of the signature of a function; false if it has none.
func Shape(w *resolve.World, f resolve.Ref) (string, bool) {
	g := dispatcher{newReader(w)}
	return g.shape(g.reader.signature(value{kind: function, ref: f}))
}

// Identical reports whether the signatures of two functions may be the same.
func Identical(w *resolve.World, a, b resolve.Ref) bool {
	g := dispatcher{newReader(w)}
	signature := func(f resolve.Ref) goType { return g.reader.signature(value{kind: function, ref: f}) }
	return g.identical(signature(a), signature(b))
}
