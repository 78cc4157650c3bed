package rank

import "sextant/internal/code"

// weights holds the factor for each feature; most features are from 0 to 1.
type weights struct {
	words    float64 // the best chunk's BM25, as a share of the best of all
	wordRank float64 // the best chunk's rank by BM25
	parts    float64 // BM25 of each further chunk of a file that is one result
	meaning  float64 // a cosine of 1
	ranks    float64 // for the first rank in meaning, if cosines are not comparable; not fitted
	covered  float64 // share of the query's terms in the candidate, weighted by rarity
	held     float64 // match with the query's words, including synonyms
	length   float64 // logarithm of its bytes, as longer text contains more of any words
	name     float64 // share of the query's terms in its name
	path     float64 // share of the query's terms in its path
	line     float64 // share of the terms in one line, cubed; a comment may say exactly the query
	named    float64 // exactness of a symbol name in a query of prose
	size     float64 // length of the function
	busy     float64 // calls in the function

	// The features of the file are added for each function in it.
	fileWords, fileMeaning float64

	// These are added to 1 to give the factors for exported symbols, text outside of symbols, and
	// tests.
	exported, unowned, test float64
}

// The weights are fitted on validation (docs/embedder.md): ofAsk on hand-written questions,
// ofSentence on sentences of documentation, ofFiles on commit subjects. The topic of a file shows
// in its path and in several of its parts; the purpose of a function in its meaning and its
// surroundings. Without vectors, words decide. ofFew, for questions with few terms, is not fitted,
// because validation has hardly any: it is ofNames, with size and busy chosen by hand.
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

// classPrior lowers classes that users seldom search for. Tests contain the words of the tested
// code, in names that read like questions.
var classPrior = map[code.Class]float64{
	code.ClassSource: 1, code.ClassConfig: 0.9, code.ClassTest: 0.45, code.ClassDocs: 0.85,
	code.ClassBuild: 0.6, code.ClassGenerated: 0.5, code.ClassFixture: 0.5, code.ClassVendor: 0.4,
}

const (
	// namedFirst is the boost for a symbol that a word of a short query names, above all that words
	// and meaning find. It is scaled by the exactness and by the word's share of the query.
	namedFirst = 2.5
	// namedHidden is the factor for that boost in a file outside of the scope.
	namedHidden = 0.8
)

// changedBoost ranks changed files above equals, but not above better ones.
const changedBoost = 1.15

// showingPrior lowers examples and benchmarks, whose names describe the code that they call.
const showingPrior = 0.8

// proseType lowers types and text outside of symbols for a query of prose.
const proseType = 0.85
