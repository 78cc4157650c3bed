// Package folding computes the text of an expression from its own file: "/orders/{id}" for
// "/orders/" + id. It also takes the text of an expression apart, into arguments, items of a list,
// the calls of a chain.
//
// A part that is not known in the file becomes a hole in braces: {base}. The hole of a parameter has
// its position, {#0:base}; that of a setting, an environment variable or a key of configuration, has
// its name, {env:NAME}.
//
// Expressions are read as text, by the same rules in all languages, since a syntax tree says little
// of formats, templates, builders and the ways in which a setting is read. Definitions finds what the
// file gives its names, as written; Folder computes texts from that. The hard parts are to find the
// definition that a name means (names.go, variable.go), to tell which branches belong together
// (ways.go), and to do little work for the many values that are no address (Definitions.Fuel,
// values.go).
package folding
