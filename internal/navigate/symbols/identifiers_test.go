package symbols

import (
	"slices"
	"testing"
)

// TestOccurrencesInAnyCase checks the offsets of names that occur only in another case, behind letters whose lower
// case takes more or fewer bytes.
func TestOccurrencesInAnyCase(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       []int
	}{
		{"Retry(retryAfter)", "RETRYAFTER", []int{6}},
		{"İİİ retryAfter", "RetryAfter", []int{7}},          // "i̇" takes three bytes instead of two
		{"\u212A\u212A retryAfter", "RetryAfter", []int{7}}, // "k" takes one byte instead of the Kelvin sign's three
		{"ÄNDERN und ändernAlle", "Ändern", []int{0, 12}},
		{"\xff retryAfter", "RetryAfter", []int{2}},
		{"retry retryAfter", "retry", []int{0}}, // a whole word
	} {
		if got := slices.Collect(occurrences([]byte(c.text), []byte(c.name))); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.name, c.text, got, c.want)
		}
	}
}
