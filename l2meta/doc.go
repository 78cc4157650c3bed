// Package l2meta stores what files declare and call: tier 2. What a file says is
// read from its bytes alone by l2meta/languages, over l2meta/syntax; what a call
// means is resolved by l2meta/resolve.
//
// # Stored
//
// symbols has a row for each symbol, with what name look-ups and answers need;
// facts has one packed row for each file with call sites, imports, exports and
// type facts, and callees the distinct callee names of a file, so that the
// files that may call a name are found without unpacking.
//
// Rows of a file are made from that file alone. Resolution across files is a
// join at question time, whose results derived keeps for one generation.
package l2meta
