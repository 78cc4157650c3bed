// Package gitobject reads the history of a git repository: it finds the commit
// that a revision names, and the files of its tree. It runs no program, reads no
// configuration, and trusts no length that a repository states.
//
// An object is a file of its own, deflated ("objects/ab/cdef…"), or an entry of
// a pack. The index of a pack (version 2) is a magic number and the version, 256
// counts of ids by their first byte, the ids in order, a checksum and a 32-bit
// offset for each; an offset with the top bit set is a place in a table of
// 64-bit offsets. An entry of a pack is deflated whole, or the difference to
// another object. See gitformat-pack(5) and gitrevisions(7).
package gitobject
