// Package ruby reads Ruby, and resolves its calls, where every class is open at run time.
//
// Hard here: files load each other by load paths and by naming conventions;
// modules are mixed in anywhere; methods are made by other methods. Only written
// classes count: a call on self means the method of self's class or its ancestors,
// and a variable has a type where everything that it is given is made by X.new.
// What an unseen ancestor may declare first stays unresolved, unless nothing in
// the workspace bears the name: then the call leaves it. Names that are made by
// text count as borne (rules_made.go). What the library gives is typed by the
// signatures that Ruby ships (standard.go).
package ruby
