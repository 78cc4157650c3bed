// Package l1fts is the first tier. It answers three questions: in which chunks
// of code do the words of a query stand, best first (Search), which chunks are
// near to it in meaning (Near), and which files may hold a literal or match a
// regular expression (Candidates, then Matcher on their bytes). It reads no
// file, resolves no symbol and knows no language: it indexes the code.File it
// is given, and hands out lines and symbol indexes of that. No SQL on its
// tables is written elsewhere, and no FTS5 expression or syntax crosses its
// boundary in either direction.
//
// # Chunks
//
// A file is cut by the symbols that own its lines: a symbol has the lines of
// its span and of the comment directly above, less those of its children; what
// no symbol owns is cut in windows. Chunks have up to 60 lines or 3 KiB. Short
// constants, variables, fields and properties belong to the chunk around them,
// with their names among its declarations. A chunk is one row of l1_fts, a
// contentless FTS5 table (unicode61, porter) with the columns name, signature,
// path, body. Their values are words: identifiers whole and in parts, so
//
//	func (s *Server) refreshSession(id string) error
//
// is found by refreshsession, refresh, session and, stemmed, by "refreshing
// sessions". Bodies are indexed without function words and common keywords,
// and a word counts at most four times in a chunk.
//
// The row id is seq<<3 | class: seq counts up over all chunks ever written (so
// that FTS5 appends) and is dense within a file; the class of the file in the
// low bits makes a scope a condition on the row id. l1_chunks has one row a
// file: the seq of its first chunk, their number, and per chunk five uvarints:
// symbol+1, first line less that of the chunk before (zigzag), lines less one,
// importance, set of kinds. Hits find their file by the largest base ≤ seq.
//
// # Plans
//
// A ranked match costs 1.5 to 2 µs (the standard library, 155,000 chunks), two
// thirds of it in BM25. So a query is planned by document frequency, probed
// with a limit of 1,000 rows: the rarest words together find the rows, as many
// as fit 4,000 postings; commoner words only raise the scores of rows that the
// rare ones found; the parts of an identifier that is found whole count as
// such. When all words are common, rows that hold all of them, or that bear
// the one in their name, are ordered by static importance first.
//
// # Vectors
//
// Chunks of source, tests, documents and configuration have a vector each,
// made of name, signature, path and text. l1_vectors has one row a file and
// embedder, keyed file<<8 | embedder: the packed records of package vector, and
// the base of the chunks that they belong to. A row whose base is not that of
// l1_chunks is of an older text and counts for nothing, so no vector outlives
// its bytes. The built-in embedder's vectors are written with the file's other
// rows; a trailing one's come later (Behind, Late), and what has the key of a
// chunk of before keeps its vector. l1_models numbers the embedders and says
// whether every file has its vectors; those of the last two are kept.
//
// Questions are answered from memory once Load has read the vectors, and from
// the database before: the same vectors of the same cells, so the answer is the
// same. Few files by path, language, kind or class are scanned by themselves.
// The generation of a row tells memory what it has not seen yet.
//
// # Grams
//
// Exhaustive queries go through an index of trigrams by file, folded to 18
// bits (see gram), over the text alone: what a path or a label holds is no
// match. A new file's set is one row of
// l1_gram_files (uvarint differences); when 4,096 are pending they are inverted
// into a segment: one row of l1_grams a gram, keyed segment<<18 | gram, with
// the files' ordinals in the segment as uvarint differences or as a bitmap,
// whichever is shorter. A file written again is pending again, and what its old
// segment says of it no longer counts.
//
// Measured over the standard library (10,739 files, 109 MB), on a busy machine
// with two cores: segments take 2.9 s to write and 0.09 of the source on disk;
// an FTS5 table with detail=none over the same grams took 12.6 s and 0.14. An
// index of distinct identifiers, the other candidate, says nothing of
// punctuation and white space, which half of all literals asked for hold.
//
// A file costs 15 ms of CPU a megabyte to prepare, in parallel, and 87 to
// write; a larger FTS5 hash (hashsize) makes writing slower. The words take
// 0.62 of the source on disk.
//
// The answers are ripgrep's, line for line; a test compares them.
package l1fts
