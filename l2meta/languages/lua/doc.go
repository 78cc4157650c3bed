// Package lua holds what is known of Lua: symbols, and no calls yet.
//
// What is hard: there are no classes. Methods are functions that are assigned to
// fields of tables (function M.f, M.f = function), and which table a module
// hands out is told by what its last statement returns. The scanner of the
// grammar keeps its state in variables of the program.
package lua
