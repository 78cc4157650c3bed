package rust

// For the tests beside this package, which use the registry above it.
var RustMask = mask
