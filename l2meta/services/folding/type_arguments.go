package folding

import "strings"

const (
	maxTypeArguments = 2000 // bytes of the type arguments of a call
	maxBeforeOpening = 80   // bytes between the name of a callee, or the type arguments, and the parenthesis
)

// Opening returns the offset of the parenthesis before the arguments of a call, in the text after its callee's name:
// that before "/orders" in <{ items: Item[]; done: () => void }>("/orders"). It returns -1 if there is none.
func Opening(text string) int {
	from := 0
	if strings.HasPrefix(strings.TrimPrefix(text, "::"), "<") {
		from = afterTypes(text)
	}
	i := strings.IndexByte(text[from:min(len(text), from+maxBeforeOpening)], '(')
	if i < 0 {
		return -1
	}
	return from + i
}

// afterTypes returns the offset after the type arguments at the start of text, or 0 if nothing closes them.
func afterTypes(text string) int {
	depth := 0
	for i := 0; i < len(text) && i < maxTypeArguments; i++ {
		switch text[i] {
		case '<', '(', '[', '{':
			depth++
		case '>':
			if text[max(i-1, 0)] == '=' { // an arrow
				continue
			}
			depth--
		case ')', ']', '}':
			depth--
		}
		if depth == 0 && text[i] != ':' {
			return i + 1
		}
	}
	return 0
}
