package ruby

import "testing"

func TestPatternOf(t *testing.T) {
	for text, want := range map[string]string{
		"size":             "size",
		"add_#{kind}":      "add_#{}",
		"add_#{a}_to_#{b}": "add_#{}",
		"#{name}_url":      "#{}_url",
		"#{name}?":         "#{}?",
		"is#{name}":        "#{}",
		"#{a}#{b}":         "#{}",
		"@#{name}_x=":      "#{}_x=",
	} {
		if got := patternOf(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
