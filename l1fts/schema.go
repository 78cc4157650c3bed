package l1fts

import "sextant/internal/store"

// Schema returns the tables of this tier. Version log:
//
//	1: first
//	2: vectors
//	3: grams of the text alone
//	4: chunks, the number of chunks, in l1_state
func Schema() store.Schema {
	return store.Schema{Name: "l1fts", Version: 4, SQL: `
CREATE VIRTUAL TABLE IF NOT EXISTS l1_fts USING fts5(name, signature, path, body,
	content='', contentless_delete=1, tokenize='porter unicode61');
INSERT INTO l1_fts(l1_fts, rank) VALUES('automerge', 0);
CREATE VIRTUAL TABLE IF NOT EXISTS l1_vocab USING fts5vocab(l1_fts, row);
CREATE TABLE IF NOT EXISTS l1_chunks(
	base INTEGER PRIMARY KEY,
	file_id INTEGER NOT NULL UNIQUE,
	class INTEGER NOT NULL,
	count INTEGER NOT NULL,
	data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS l1_state(
	id INTEGER PRIMARY KEY,
	next INTEGER NOT NULL,
	chunks INTEGER NOT NULL,
	generation INTEGER NOT NULL,
	pending INTEGER NOT NULL
);
INSERT OR IGNORE INTO l1_state VALUES(1, 1, 0, 0, 0);
CREATE TABLE IF NOT EXISTS l1_gram_files(
	file_id INTEGER PRIMARY KEY,
	segment INTEGER NOT NULL,
	grams BLOB
);
CREATE INDEX IF NOT EXISTS l1_gram_pending ON l1_gram_files(file_id) WHERE segment = 0;
CREATE TABLE IF NOT EXISTS l1_gram_segments(
	id INTEGER PRIMARY KEY,
	files BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS l1_grams(id INTEGER PRIMARY KEY, ordinals BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS l1_models(
	id INTEGER PRIMARY KEY,
	fingerprint TEXT NOT NULL UNIQUE,
	complete INTEGER NOT NULL,
	partition INTEGER NOT NULL DEFAULT 0,
	trained INTEGER NOT NULL DEFAULT 0,
	cells BLOB
);
CREATE TABLE IF NOT EXISTS l1_vectors(
	id INTEGER PRIMARY KEY,
	model INTEGER NOT NULL,
	generation INTEGER NOT NULL,
	base INTEGER NOT NULL,
	vectors INTEGER NOT NULL,
	missing INTEGER NOT NULL,
	partition INTEGER NOT NULL,
	data BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS l1_vectors_new ON l1_vectors(model, generation, base, vectors, missing, partition);
`}
}
