package typescript

// For the tests beside this package, which use the registry above it.
var TsMask = mask
