package contract

// Budget tracks the tokens left for an answer under construction. It is not safe for concurrent
// use.
type Budget struct {
	max, spent int
	price      func(any) int
}

// noticeTokens is the number of tokens that the budget of a JSON answer reserves, and four times
// the number for text. The truncation notice, with the call that fetches the rest, must fit even if
// nothing else does.
const noticeTokens = 120

// NewBudget returns a budget of d.MaxTokens for the whole answer. Its prices are the tokens of the
// output format of d.
func NewBudget(d *Delivery) *Budget {
	if d.Price != nil {
		return &Budget{max: d.MaxTokens, spent: noticeTokens / 4, price: d.Price}
	}
	return &Budget{max: d.MaxTokens, spent: noticeTokens, price: Cost}
}

// Size returns the number of tokens of a whole answer in the output format of d.
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

// Price returns the cost of v and charges nothing.
func (b *Budget) Price(v any) int { return b.price(v) }

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

// Cost returns the number of tokens of v as an item of a JSON list or object, with the comma after
// it. It returns 0 if v cannot be encoded; encoding the answer reports that error.
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
