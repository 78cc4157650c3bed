// Package bash resolves commands of shell scripts that are functions.
//
// Hard here: a function is whatever was defined last when the command runs, which
// depends on the order of execution; files are sourced by paths that variables
// hold. Only paths that are written out, or relative to the script's own folder,
// are followed.
package bash
