// Package remote embeds with a server: Ollama, any server with OpenAI's
// embeddings API, Voyage or Gemini. It implements the Embedder of package
// embed, with errors that explain what the server did wrong. It never reads the
// environment, a file or a workspace, so only its caller decides where code is
// sent.
//
// A server may be slow, busy or broken. Requests carry batches of texts, and
// their rate is limited. They end with their context or after a timeout. After
// the status 408, 429 or 5xx they are retried, when the server says or after
// growing pauses. A redirect is an error: following it would send code and key
// to another host. The request for a question is not retried. After it fails,
// further questions fail immediately for a while, so that only one search waits
// for a server that is down.
//
// chromem has functions for some of these servers. They send one text per
// request, and report neither the status of a failure nor when to retry.
package remote
