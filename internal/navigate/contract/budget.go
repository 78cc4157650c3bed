package contract

import "unicode/utf8"

// Tokens returns an upper estimate of the number of tokens in text. On source, prose and JSON it is
// 1.0 to 1.6 times the count of the byte-pair vocabularies cl100k and o200k (see
// TestTokensFromAbove).
//
// It walks the bytes once and counts the pieces at which those vocabularies split text before any
// look-up. A real tokenizer would be exact for one model, but costs 4 MB of vocabulary and some 100
// ns a byte. A plain bytes/4 is short by half on ids, digits and CJK.
func Tokens[T ~string | ~[]byte](text T) int {
	const (
		lettersPerToken = 5 // long lower-case words are split into pieces of about this length
		spacesPerToken  = 16
	)
	tokens := 0
	for i := 0; i < len(text); {
		start, class := i, classOf(text[i])
		for i++; i < len(text) && classOf(text[i]) == class; i++ {
			// A capital starts a new piece: camelCase.
			if class == letter && isUpper(text[i]) && !isUpper(text[i-1]) {
				break
			}
		}
		n := i - start
		switch class {
		case letter:
			tokens += (n + lettersPerToken - 1) / lettersPerToken
			if touchesDigit(text, start, i) {
				tokens += n / 3 // an id or a hash, whose letters form no word
			} else if n > 1 && isUpper(text[start]) && isUpper(text[start+1]) {
				tokens += n / 3 // capitals are rare in words, so their pieces are short
			}
		case digit:
			tokens += (n + 1) / 2
		case mark:
			tokens += (n + 1) / 2
		case space:
			// A single space belongs to the word after it.
			if n > 1 || text[start] != ' ' {
				tokens += 1 + n/spacesPerToken
			}
		case wide:
			tokens += wideTokens([]byte(text[start:i]))
		}
	}
	return tokens
}

func touchesDigit[T ~string | ~[]byte](text T, start, end int) bool {
	return start > 0 && classOf(text[start-1]) == digit || end < len(text) && classOf(text[end]) == digit
}

// class is the kind of a byte, as [Tokens] counts it.
type class uint8

const (
	mark class = iota
	letter
	digit
	space
	wide
)

func classOf(b byte) class {
	switch {
	case b|0x20 >= 'a' && b|0x20 <= 'z':
		return letter
	case b >= '0' && b <= '9':
		return digit
	case b == ' ' || b == '\n' || b == '\t' || b == '\r':
		return space
	case b >= utf8.RuneSelf:
		return wide
	}
	return mark
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

// wideTokens estimates the tokens of a run of bytes outside ASCII: one for a letter of two bytes,
// one and a half for a rune of three (a Chinese character is one or two), three for an emoji, one
// for a byte of invalid UTF-8.
func wideTokens(run []byte) int {
	halves := 0
	for len(run) > 0 {
		_, n := utf8.DecodeRune(run)
		halves += [...]int{2, 2, 2, 3, 6}[n]
		run = run[n:]
	}
	return (halves + 1) / 2
}

// Budget tracks the tokens left for an answer under construction. It is not safe for concurrent
// use.
type Budget struct {
	max, spent int
	price      func(any) int
}

// noticeTokens is reserved in every budget. The truncation notice, with the call that fetches the
// rest, must fit even if nothing else does.
const noticeTokens = 120

// NewBudget returns a budget for the whole answer, priced in the format of delivery d.
func NewBudget(d *Delivery) *Budget {
	if d.Price != nil {
		return &Budget{max: d.MaxTokens, spent: noticeTokens / 4, price: d.Price}
	}
	return &Budget{max: d.MaxTokens, spent: noticeTokens, price: Cost}
}

// Size returns the tokens of a whole answer in the format of d.
func (d *Delivery) Size(answer any) int {
	if d.Price != nil {
		return d.Price(answer)
	}
	return Cost(answer)
}

// Left returns the number of unspent tokens; it is never negative.
func (b *Budget) Left() int { return max(b.max-b.spent, 0) }

// Spend charges the cost of v, even beyond the budget. It is for parts of an answer that are never
// cut.
func (b *Budget) Spend(v any) { b.spent += b.price(v) }

// Take charges a number of tokens, even beyond the budget.
func (b *Budget) Take(tokens int) { b.spent += tokens }

// SpendText charges the cost of text outside JSON.
func (b *Budget) SpendText(text string) { b.spent += Tokens(text) }

// Fits charges the cost of v and returns true if enough tokens are left. Otherwise it charges
// nothing and returns false.
func (b *Budget) Fits(v any) bool {
	c := b.price(v)
	if b.spent+c > b.max {
		return false
	}
	b.spent += c
	return true
}

// Cost returns the tokens of v as an item of a JSON list or object. It returns 0 if v cannot be
// encoded; encoding the answer reports that error.
func Cost(v any) int {
	text, err := Encode(v)
	if err != nil {
		return 0
	}
	return Tokens(text) + 1
}

// Fit charges b for the longest affordable prefix of list and returns that prefix.
func Fit[T any](b *Budget, list []T) []T {
	for i := range list {
		if !b.Fits(list[i]) {
			return list[:i]
		}
	}
	return list
}
