// Package navigate implements the six tools of Sextant: the answers about the current state of a
// codebase.
//
// It connects the packages below, each of which implements a group of tools, with the engine that
// opens roots. A caller only needs this package and contract, which defines requests and answers.
//
//	contract   requests, answers, conditions, budget
//	engine     roots and their derived data; one version of the index for a whole request
//	symbols    file_outline, read_file; which symbol a reference means
//	search     search_codebase; search/rank, the order of its results
//	callgraph  call_graph
//	impact     call_graph of a change: its symbols, their callers and tests
//	servicemap the services of a workspace and the calls between them, for the command line
//	manage     manage_index, list_codebases
//	servers    the pool of language servers, which confirm edges of call graphs
//
// No answer contains a type of a protocol SDK, SQL, a syntax node, a position in UTF-16 or a
// terminal colour.
//
// Equal requests to equal indexes have equal answers, byte for byte, apart from timestamps: the
// code that builds a list sorts it.
package navigate
