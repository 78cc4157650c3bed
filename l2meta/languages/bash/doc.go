// Package bash resolves the commands of shell scripts that call functions.
//
// Scripts are hard to resolve because a command calls the function that was defined last when it
// runs, which depends on the order of execution, and because scripts source files by paths in
// variables. Only paths that are written out, or relative to the script's own directory, are
// followed.
package bash
