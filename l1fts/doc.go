// Package l1fts is the first tier. It answers three questions: which chunks of
// code contain the words of a query, ranked (Search); which chunks are nearest
// to it in meaning (Near); and which files may contain a literal or match a
// regular expression (Candidates, followed by a Matcher on their bytes). It
// reads no file, resolves no symbol and knows no language: it indexes the
// code.File values it is given, and returns lines and indexes into
// File.Symbols. Only this package runs SQL on its tables, and no FTS5
// expression or syntax crosses its boundary in either direction.
//
// # Chunks
//
// A file is cut into chunks by the symbols that own its lines. A symbol owns
// the lines of its span and of the comment directly above, except those of its
// children; lines without an owner are cut into windows. A chunk has up to 60
// lines or 3 KiB. Short constants, variables, fields and properties belong to
// the surrounding chunk, with their names among its declarations. A chunk is
// one row of l1_fts, a contentless FTS5 table (unicode61, porter) with the
// columns name, signature, path and body. Their values are words: whole
// identifiers and their parts, so
//
//	func (s *Server) refreshSession(id string) error
//
// matches refreshsession, refresh, session and, through stemming, "refreshing
// sessions". Bodies are indexed without function words and common keywords, and
// a word counts at most four times in a chunk.
//
// The row id is seq<<3 | class. seq counts up over all chunks ever written, so
// FTS5 always appends, and is contiguous within a file. The low bits hold the
// class of the file, so a filter by class is a condition on the row id.
// l1_chunks has one row per file: base, which is the seq of its first chunk,
// the number of chunks and, per chunk, five uvarints: symbol+1, first line
// minus the previous chunk's first line (zigzag), number of lines minus one,
// static importance, set of symbol kinds. The chunk with a given seq belongs to
// the file with the largest base ≤ seq.
//
// # Plans
//
// Ranking one matching row costs 1.5 to 2 µs (measured on Go's standard
// library, 155,000 chunks), two thirds of it in BM25. So a query is planned by
// the document frequencies of its words; at most 20,000 postings of a word are
// read to estimate its frequency. The rarest words select the rows: as many of
// them as have at most 4,000 postings in total. Commoner words only raise the
// scores of the rows that the rare words selected. So do the parts of an
// identifier that occurs as a whole. If all words are common, only the rows
// that contain all of them (the four rarest) are ranked, at most the 16,000 that
// were written last, ordered by static importance before score. If the only word is common, only the rows that have it in their name
// or signature are ranked.
//
// # Vectors
//
// Every chunk of source, tests, documents and configuration has a vector, made
// from its name, signature, path and text. l1_vectors has one row per file and
// embedder, keyed file<<8 | embedder. It holds the packed records of package
// vector and the base of the chunks they belong to. A row whose base differs
// from that in l1_chunks belongs to an older text of the file and is ignored.
// The vectors of the built-in embedder are written with the file's other rows;
// those of a slow embedder, such as a server, follow later (Behind, Late). A
// chunk whose name, signature, path and text are unchanged keeps its vector.
// l1_models numbers the embedders and records for each whether every file has
// its vectors; only the two most recent embedders are kept.
//
// Near searches memory once Load has read the vectors, and the database before
// that. Both hold the same vectors in the same cells, so the answer is the
// same. If a condition on path, language, kind or class leaves few files, these
// are scanned separately. Each row of l1_vectors holds the generation of the
// index at which it was written, so Load reads only the rows that are newer
// than memory.
//
// # Grams
//
// Exhaustive queries use an index of trigrams by file, folded to 18 bits (see
// gram), over the text alone: names in a path or a label are not matched. The
// grams of a new file are one row of l1_gram_files (uvarint differences). Once
// 4,096 files are pending they are inverted into a segment: one row of l1_grams
// per gram, keyed segment<<18 | gram, with the files' ordinals in the segment
// as uvarint differences or as a bitmap, whichever is shorter. A file that is
// written again is pending again, and its entries in the old segment no longer
// count.
//
// Measured over the standard library (10,739 files, 109 MB) on a busy machine
// with two cores: segments take 2.9 s to write and 9 % of the size of the
// source on disk; an FTS5 table with detail=none over the same grams took 12.6
// s and 14 %. An index of distinct identifiers, the other candidate, knows
// nothing of punctuation and white space, which half of all literals in queries
// contain.
//
// Preparing a file costs 15 ms of CPU per megabyte, and files are prepared in
// parallel; writing it costs 87 ms per megabyte. A larger FTS5 hash (hashsize)
// makes writing slower. The word index takes 62 % of the size of the source on
// disk.
//
// An exhaustive query finds the same lines as ripgrep; a test compares them.
package l1fts
