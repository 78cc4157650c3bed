package cfamily

// CDialect and CMask export functions to the tests in package cfamily_test, which import the
// registry of languages.
var CDialect = cDialect
var CMask = mask
