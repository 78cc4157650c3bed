package rust

// RustMask exports mask to the tests in package rust_test, which import the registry of languages.
var RustMask = mask
