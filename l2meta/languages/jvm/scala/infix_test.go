package scala

import "testing"

// TestPrecedence checks the order of operators by their first characters, the first and the last of each level.
func TestPrecedence(t *testing.T) {
	levels := [][]string{
		{"+=", "-=", "*=", "::=", "^="},
		{"map", "zip", "Map", "Zip", "_x", "$x", "`a b`", "élan"},
		{"|", "||", "|>"}, {"^", "^^"}, {"&", "&&"}, {"=", "==", "!", "!=", "=>>"}, {"<", "<=", ">", ">=", "<-"}, {":", "::", ":+"},
		{"+", "++", "-", "->"}, {"*", "/", "%", "**"}, {"@", "#", "~", "?", "\\"},
	}
	last := -1
	for i, level := range levels {
		for j, op := range level {
			p := precedence(op)
			if j > 0 && p != last || j == 0 && p <= last {
				t.Errorf("%s, of level %d, has precedence %d after %d", op, i, p, last)
			}
			last = p
		}
	}
}

// TestAssigns checks which operators assign: x += 1 means x = x + 1, and x <= 1 does not.
func TestAssigns(t *testing.T) {
	for op, want := range map[string]bool{"+=": true, "::=": true, "||=": true, "=": false, "==": false, "<=": false,
		">=": false, "!=": false, "===": false, "=+": false, "a_=": false, "+": false, "~=": true, "^=": true} {
		if Assigns(op) != want {
			t.Errorf("%s assigns: %t", op, !want)
		}
	}
}
