package model2vec

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode"
)

// tokenizer implements WordPiece (Schuster and Nakajima, 2012) in BERT's
// variant.
type tokenizer struct {
	vocabulary map[string]int
	prefix     string // marks pieces that do not start a word: ## in ##ing
	lower      bool
	maxWord    int // in characters; longer words are ignored
	size       int // highest id + 1
}

// parseTokenizer parses tokenizer.json. It returns an error unless the model is
// WordPiece.
func parseTokenizer(data []byte) (*tokenizer, error) {
	var f struct {
		Normalizer struct {
			Type        string
			Lowercase   bool
			Normalizers []struct{ Type string }
		}
		Model struct {
			Type    string
			Vocab   json.RawMessage
			Prefix  *string `json:"continuing_subword_prefix"`
			MaxWord int     `json:"max_input_chars_per_word"`
			Unknown string  `json:"unk_token"`
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Model.Type != "WordPiece" {
		return nil, fmt.Errorf("its model is %q; only WordPiece can be read", f.Model.Type)
	}
	tok := &tokenizer{prefix: "##", lower: f.Normalizer.Lowercase, maxWord: 100}
	for _, n := range f.Normalizer.Normalizers {
		tok.lower = tok.lower || n.Type == "Lowercase"
	}
	if f.Model.Prefix != nil {
		tok.prefix = *f.Model.Prefix
	}
	if f.Model.MaxWord > 0 {
		tok.maxWord = f.Model.MaxWord
	}
	if err := json.Unmarshal(f.Model.Vocab, &tok.vocabulary); err != nil {
		return nil, fmt.Errorf("vocabulary: %w", err)
	}
	for word, id := range tok.vocabulary {
		if id < 0 || id > 1<<24 {
			return nil, fmt.Errorf("%q has the id %d", word, id)
		}
		tok.size = max(tok.size, id+1)
	}
	if tok.size == 0 {
		return nil, errors.New("the vocabulary is empty")
	}
	delete(tok.vocabulary, f.Model.Unknown) // unknown words are ignored
	return tok, nil
}

// encode returns the ids of the first tokens of text, up to most of them.
func (t *tokenizer) encode(text string, most int) (ids []int) {
	word := make([]rune, 0, 32)
	flush := func() {
		ids = t.pieces(ids, word)
		word = word[:0]
	}
	for _, r := range text {
		if len(ids) >= most {
			return ids[:most]
		}
		switch {
		case r == 0 || r == unicode.ReplacementChar || unicode.Is(unicode.C, r) && !unicode.IsSpace(r):
		case unicode.IsSpace(r):
			flush()
		case punctuation(r) || unicode.Is(unicode.Han, r):
			flush()
			word = append(word, r)
			flush()
		case t.lower:
			word = append(word, unicode.ToLower(r))
		default:
			word = append(word, r)
		}
	}
	flush()
	return ids[:min(len(ids), most)]
}

// punctuation reports whether BERT splits text at r: ASCII that is neither
// letter, digit nor white space, or Unicode punctuation.
func punctuation(r rune) bool {
	if r < 128 {
		return r > 32 && r < 127 && !('0' <= r && r <= '9') && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z')
	}
	return unicode.IsPunct(r)
}

// pieces splits word into pieces of the vocabulary, each the longest that fits, and appends their
// ids to ids. It appends none if a part of the word is in no piece.
func (t *tokenizer) pieces(ids []int, word []rune) []int {
	if len(word) == 0 || len(word) > t.maxWord {
		return ids
	}
	from := len(ids)
	text := string(word)
	for start := 0; start < len(text); {
		end, id, found := len(text), 0, false
		for ; end > start; end-- {
			if end < len(text) && !startsRune(text[end]) {
				continue
			}
			piece := text[start:end]
			if start > 0 {
				piece = t.prefix + piece
			}
			if id, found = t.vocabulary[piece]; found {
				break
			}
		}
		if !found {
			return ids[:from]
		}
		ids = append(ids, id)
		start = end
	}
	return ids
}

func startsRune(b byte) bool { return b&0xc0 != 0x80 }
