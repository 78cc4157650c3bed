// Package remote makes vectors with a server: Ollama, anything that speaks
// OpenAI's embeddings, Voyage, Gemini. It answers what package embed's Embedder
// does, and says in its errors what the server did wrong; it never reads the
// environment, a file or a workspace, so that nobody but its caller decides
// where code is sent.
//
// A server may be slow, busy or broken. Requests carry batches of texts, are
// spaced to a rate, end with their context or after a time, and are sent again
// after 408, 429 and 5xx, when the server says or with growing pauses. A
// redirect is an error: it would hand code and key to another host. A question
// is sent once; after a failure the next questions fail at once for a while, so
// that a server that is gone costs one answer its patience, not all of them.
//
// chromem has functions for some of these servers. They send one text a
// request, and tell neither the status of a failure nor when to come back.
package remote
