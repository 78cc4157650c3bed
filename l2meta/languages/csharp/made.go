package csharp

import "sextant/l2meta/resolve"

// madeNames are the members that the compiler makes of records and delegates.
var madeNames = resolve.Set("Equals", "GetHashCode", "ToString", "Deconstruct", "Invoke", "BeginInvoke", "EndInvoke", "DynamicInvoke")

// Makes: what it makes bears the same names everywhere.
func (Language) Makes(_ *resolve.World, name string) bool { return madeNames[name] }
