// Package bash resolves the commands of shell scripts that call functions.
//
// Hard here: a command calls the function that was defined last when it runs, which depends on the
// order of execution, and scripts source files by paths in variables. Only paths that are written
// out, or relative to the script's own directory, are followed.
package bash
