package cfamily

// For the tests beside this package, which use the registry above it.
var CDialect = cDialect
var CMask = mask
