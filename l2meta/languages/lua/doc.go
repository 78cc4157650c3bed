// Package lua reads Lua: its symbols and call sites. It has no rules that resolve the calls yet.
//
// Lua has no classes. Methods are functions assigned to fields of tables (function M.f, M.f =
// function), and the last return statement of a module determines the table that it exports. The
// grammar's scanner keeps its state in global variables.
package lua
