package l2meta

// Pack and Unpack serve the external tests, which import the registry of languages above this
// package.
var Pack = pack
var Unpack = unpack
