// Package proof says which declaration a call site calls: from syntax, and from the answers of language
// servers, which override syntax. A Linker resolves call sites on one snapshot of the index, in both
// directions. A Question is a call or symbol that a language server could still settle; a Service sends it.
//
// The answers are kept as verdicts, in the index and in a cache for each root. A verdict is valid only while
// everything that it depends on is unchanged: the bytes of the calling and the called file, the server, the
// manifests of the project, and the resolution from syntax. See Proofs.
//
// A server may be wrong: it may be still loading, know other bytes than the index, or
// see only the files of one platform. A confirmation always counts. A contradiction counts only if the
// server resolves a canary, which is a call with a certain target, and names one indexed declaration or a
// place outside of the workspace. Answers on overrides add edges and refute none.
//
// The package shows nothing and walks no graph. The caller chooses the questions that are worth their time.
package proof
