package contract

import "unicode/utf8"

// Tokens estimates how many tokens a model reads text as, from above: on
// source, prose and JSON it says 1.0 to 1.6 times what the byte-pair
// vocabularies cl100k and o200k count (the test measures it).
//
// It walks the bytes once and counts runs, the pieces that those
// vocabularies cut at before they look anything up. A real tokenizer would be
// exact for one model, costs 4 MB of vocabulary and some 100 ns a byte; a
// plain bytes/4 is short by half on ids, digits and CJK.
func Tokens[T ~string | ~[]byte](text T) int {
	const (
		lettersPerToken = 5 // long lower-case words come in pieces of about this
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
				tokens += n / 3 // an id or a hash: its letters are no word
			} else if n > 1 && isUpper(text[start]) && isUpper(text[start+1]) {
				tokens += n / 3 // capitals are rare in words, so their pieces are short
			}
		case digit:
			tokens += (n + 1) / 2
		case mark:
			tokens += (n + 1) / 2
		case space:
			// One space belongs to the word behind it.
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

// class is what a byte is to [Tokens].
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

// wideTokens is for bytes outside ASCII: one for a letter of two bytes, one
// and a half for a rune of three (a Chinese character is one or two), three
// for an emoji, one for a byte that is no UTF-8.
func wideTokens(run []byte) int {
	halves := 0
	for len(run) > 0 {
		_, n := utf8.DecodeRune(run)
		halves += [...]int{2, 2, 2, 3, 6}[n]
		run = run[n:]
	}
	return (halves + 1) / 2
}

// Budget is what is left of an answer's tokens while it is put together. It
// is not safe for concurrent use.
type Budget struct {
	max, spent int
	price      func(any) int
}

// noticeTokens is set aside in every budget: the truncation notice with the
// call that fetches the rest has to fit when nothing else does any more.
const noticeTokens = 120

// NewBudget returns a budget for the whole answer, priced as it is sent.
func NewBudget(d *Delivery) *Budget {
	if d.Price != nil {
		return &Budget{max: d.MaxTokens, spent: noticeTokens / 4, price: d.Price}
	}
	return &Budget{max: d.MaxTokens, spent: noticeTokens, price: Cost}
}

// Size returns the tokens of a whole answer as it is sent.
func (d *Delivery) Size(answer any) int {
	if d.Price != nil {
		return d.Price(answer)
	}
	return Cost(answer)
}

// Left is how many tokens may still be spent; never negative.
func (b *Budget) Left() int { return max(b.max-b.spent, 0) }

// Spend takes what v costs, whether there is as much left or not:
// for the parts of an answer that are never cut.
func (b *Budget) Spend(v any) { b.spent += b.price(v) }

// Take takes a number of tokens, whether there are as many left or not.
func (b *Budget) Take(tokens int) { b.spent += tokens }

// SpendText takes what text costs outside JSON.
func (b *Budget) SpendText(text string) { b.spent += Tokens(text) }

// Fits takes what v costs if there is as much left, and reports
// whether there was.
func (b *Budget) Fits(v any) bool {
	c := b.price(v)
	if b.spent+c > b.max {
		return false
	}
	b.spent += c
	return true
}

// Cost returns the tokens of v as an item of a JSON list or object. What cannot be
// encoded costs nothing here: encoding the answer will say so.
func Cost(v any) int {
	text, err := Encode(v)
	if err != nil {
		return 0
	}
	return Tokens(text) + 1
}

// Fit returns the longest prefix of list that b pays for.
func Fit[T any](b *Budget, list []T) []T {
	for i := range list {
		if !b.Fits(list[i]) {
			return list[:i]
		}
	}
	return list
}
