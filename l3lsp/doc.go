// Package l3lsp keeps a pool of language servers, started by a question, and
// asks them what a call site means.
//
// A server is shared by all folders of a language (server, trust, settings are
// the key); at most three run per user, over all processes, and one that was
// idle for five minutes is stopped. None of them runs code of a workspace that
// is not trusted, or writes into it.
//
// A server is believed when it says where a name is declared and is ready: its
// progress has drained and a canary, a call whose target is known, came back
// right. What it does not say, in time or at all, is unknown, never "no".
package l3lsp
