// Package l3lsp runs a pool of language servers, started on demand, and queries
// them about call sites.
//
// All folders of a language share one server (the key is server and trust). At
// most three servers run per user, over all processes, and a server that has
// been idle for five minutes is stopped. No server runs code of a workspace
// that is not trusted, or writes into it.
//
// A server's locations are trusted once it is ready: its progress notifications
// have ended, and it resolved a canary, a call whose target is known. A site
// for which it returns nothing, in time or at all, is unknown, never "no".
package l3lsp
