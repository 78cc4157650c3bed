package rules

// TsMask exports mask to the tests in package typescript_test, which import the registry of
// languages.
var TsMask = mask
