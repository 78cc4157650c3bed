// Package navigate answers one question: what does each of the six tools say
// about a codebase, now?
//
// It wires the packages below it, one for each group of tools, over the engine
// that opens roots; callers need no other than this one and contract, which holds
// requests and answers.
//
//	contract   requests, answers, conditions, budget
//	engine     roots and what was derived from them; one index from beginning to end
//	symbols    file_outline, read_file; what a reference means
//	search     search_codebase
//	callgraph  call_graph
//	manage     manage_index, list_codebases
//
// What never crosses its boundary: no type of a protocol SDK, no SQL, no
// syntax node, no position in UTF-16, no terminal colour.
//
// Equal indexes and equal requests give equal bytes, timestamps aside: lists are
// sorted by their builder.
package navigate
