package ruby

import (
	"regexp"
	"strings"

	"sextant/l2meta/services/folding"
)

// arguments splits the text after the name of a call into arguments, with or without parentheses,
// up to the block of the call: '/orders/:id' and to: 'orders#show' for get '/orders/:id', to:
// 'orders#show' do.
func arguments(behind string) []string {
	if rest := strings.TrimLeft(behind, " \t"); strings.HasPrefix(rest, "(") {
		return folding.ListItems(rest[1:])
	}
	return folding.ListItems(statement(behind))
}

var (
	opensBlock = regexp.MustCompile(`^do(?:[\s|]|$)`)
	modifier   = regexp.MustCompile(`^(?:if|unless|while|rescue|and|or)\s`)
)

// statement returns the start of a text up to the end of its statement, or to the start of its
// block.
func statement(text string) string {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'', '`':
			for quote := c; i+1 < len(text) && text[i+1] != quote; i++ {
				if text[i+1] == '\\' {
					i++
				}
			}
			i++
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return text[:i]
			}
		case ';':
			if depth == 0 {
				return text[:i]
			}
		case '\n':
			before := strings.TrimRight(text[:i], " \t\r")
			if depth == 0 && !strings.HasSuffix(before, ",") && !strings.HasSuffix(before, "=>") &&
				!strings.HasSuffix(before, "\\") {
				return text[:i]
			}
		case ' ', '\t':
			if rest := text[i+1:]; depth == 0 && (opensBlock.MatchString(rest) || modifier.MatchString(rest)) {
				return text[:i]
			}
		}
	}
	return text
}

// option returns the value of the option called name among arguments: x for the option only in
// only: x and :only => x. It returns "" if there is none.
func option(args []string, name string) string {
	for _, a := range args {
		if strings.HasPrefix(a, "{") {
			if value := option(folding.ListItems(a[1:]), name); value != "" {
				return value
			}
			continue
		}
		for _, start := range []string{name + ":", ":" + name + " =>", ":" + name + "=>", "'" + name + "' =>",
			`"` + name + `" =>`} {
			if rest, ok := strings.CutPrefix(a, start); ok {
				return strings.TrimSpace(rest)
			}
		}
	}
	return ""
}

// positional returns the arguments that are not options such as only: x.
func positional(args []string) (out []string) {
	for _, a := range args {
		if !isOption.MatchString(a) && !strings.HasPrefix(a, "&") && !strings.HasPrefix(a, "->") &&
			!strings.HasPrefix(a, "lambda") {
			out = append(out, a)
		}
	}
	return out
}

var isOption = regexp.MustCompile(`^(?:\w+[?!]?:\s|\w+:$|:?["']?[^"']*["']?\s*=>|\*\*)`)

// text returns the content of a string or symbol literal: x for 'x', "x" and :x. It returns ""
// for any other expression.
func text(arg string) string {
	if s, ok := folding.Quoted(arg); ok {
		return s
	}
	if s, ok := strings.CutPrefix(arg, ":"); ok {
		if q, quoted := folding.Quoted(s); quoted {
			return q
		}
		return s
	}
	return ""
}

var word = regexp.MustCompile(`[\w-]+[?!]?`)

// list returns the words in a list of symbols or strings: [:show, :create], %i[show], :show.
func list(arg string) []string {
	if len(arg) > 2 && arg[0] == '%' {
		arg = arg[2:]
	}
	return word.FindAllString(arg, -1)
}
