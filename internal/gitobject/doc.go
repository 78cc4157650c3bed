// Package gitobject reads the history of a git repository: it finds the commit
// that a revision names, and the files of its tree. It runs no program, reads
// nothing of the configuration but the format of object ids, and trusts no length
// that a repository states.
//
// An object is a file of its own, deflated ("objects/ab/cdef…"), or an entry of
// a pack. An entry of a pack is deflated; it is the whole object, or the
// difference to another object. The index of a pack (version 2) has these
// parts: a magic number and the version; 256 numbers, of which number i counts
// the ids whose first byte is at most i; the ids in order; a checksum for each
// id; a 32-bit offset for each id. An offset with the top bit set is a place in
// a table of 64-bit offsets at the end. See gitformat-pack(5) and
// gitrevisions(7).
package gitobject
