// Package l3lsp runs a pool of language servers, started on demand, and queries
// them about call sites.
//
// All folders of a language share one server; trusted folders have a server
// apart from untrusted ones. At most three servers run per user, over all
// processes, and a server that has been idle for five minutes is stopped. No
// server runs code of a workspace that is not trusted, or writes into it.
//
// A server's locations are relied on once it is ready: its progress
// notifications have ended, and it resolved a canary, a call whose target is
// known. If it returns nothing for a call site, or does not answer in time, the
// targets of the call are unknown; it is not concluded that the call has none.
package l3lsp
