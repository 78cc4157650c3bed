package csharp

import "sextant/l2meta/resolve"

// madeNames lists the members that the compiler generates for records and delegates.
var madeNames = resolve.Set("Equals", "GetHashCode", "ToString", "Deconstruct", "Invoke", "BeginInvoke",
	"EndInvoke", "DynamicInvoke")

// Makes reports whether the compiler generates members of that name. The names are the same for
// every type.
func (Language) Makes(_ *resolve.World, name string) bool { return madeNames[name] }
