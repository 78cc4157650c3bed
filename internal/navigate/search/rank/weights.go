package rank

import "sextant/internal/code"

// weights hold the factor of each feature; most features are from 0 to 1.
type weights struct {
	words    float64 // the best chunk's BM25, as a share of the best of all
	wordRank float64 // its place by that
	parts    float64 // BM25 of each further chunk of a file that is one result
	meaning  float64 // a cosine of 1
	ranks    float64 // the first rank in meaning, where cosines tell nothing; not fitted
	covered  float64 // what the result holds of the query's terms, by how rare they are
	held     float64 // what it holds of the query's words, in other words too
	length   float64 // the logarithm of its bytes, by which it holds more of anything
	name     float64 // what its name holds of the terms
	path     float64 // what its path does
	line     float64 // one line that holds all of them, as a comment that says just this; less says far less
	named    float64 // a symbol that a question in prose mentions, by its exactness
	size     float64 // a function of some length
	busy     float64 // a function that calls others

	// Features of the file count for the functions in it, too.
	fileWords, fileMeaning float64

	// Added to 1, factors of exported symbols, text that no symbol owns, and tests.
	exported, unowned, test float64
}

// The weights are fitted on validation (docs/embedder.md): ofAsk on questions written
// by hand, ofSentence on sentences of documentation, ofFiles on subjects of commits.
// The topic of a file shows in its path and in several of its parts; the purpose of a
// function in its meaning and its surroundings. Without vectors, words decide. ofFew,
// for questions with few terms, are not fitted, because validation has hardly any:
// they are ofNames, with size and busy set by eye.
var (
	ofWords    = weights{words: 1.3, fileWords: 0.3, covered: 0.9, name: 0.7, path: 0.9, line: 0.5, named: 0.15, exported: 0.03}
	ofNames    = weights{words: 0.2, fileWords: 0.4, meaning: 2.1, fileMeaning: 1.05, ranks: 1, covered: 0.9, name: 0.2, path: 0.35, line: 0.5, exported: 0.03}
	ofAsk      = weights{wordRank: 0.33, fileWords: 0.35, meaning: 2.8, ranks: 2, held: 2.2, length: -0.22, path: 0.7, line: 0.4, named: 0.15, size: 1.3, busy: 0.27, exported: -0.05, unowned: -0.24, test: -0.17}
	ofSentence = weights{wordRank: 0.3, fileWords: 0.75, meaning: 3.4, ranks: 1.5, held: 1.05, length: -0.14, path: 0.45, line: 0.35, named: 0.15, busy: 0.1, exported: 0.08}
	ofFiles    = weights{words: 0.6, parts: 0.3, meaning: 1.4, ranks: 0.9, covered: 0.8, path: 1.3, named: 0.2, exported: 0.03}
	ofFew      = ofNames.forWork(0.3, 0.6)
)

func (w weights) forWork(size, busy float64) weights {
	w.size, w.busy = size, busy
	return w
}

// weightsOf holds the weights of each kind of query.
var weightsOf = [...]*weights{Words: &ofWords, Names: &ofNames, Few: &ofFew, Ask: &ofAsk, Sentence: &ofSentence, Files: &ofFiles}

// classPrior lowers what is seldom looked for. Tests repeat the words of what
// they test, in names that read like questions.
var classPrior = map[code.Class]float64{
	code.ClassSource: 1, code.ClassConfig: 0.9, code.ClassTest: 0.45, code.ClassDocs: 0.85,
	code.ClassBuild: 0.6, code.ClassGenerated: 0.5, code.ClassFixture: 0.5, code.ClassVendor: 0.4,
}

const (
	// namedFirst lifts what a word of a short query names over all that words
	// and meaning find, by its exactness and by how much of the query the word is.
	namedFirst = 2.5
	// namedHidden lowers that in a file that the scope leaves out.
	namedHidden = 0.8
)

// changedBoost lifts files under work over equals, not over better ones.
const changedBoost = 1.15

// showingPrior lowers what shows or measures code: its names say what the code
// that it calls does.
const showingPrior = 0.8

// proseType lowers types and unowned lines for a question in prose.
const proseType = 0.85
