package l2meta

// For the tests beside this package, which use the registry above it.
var Pack = pack
var Unpack = unpack
