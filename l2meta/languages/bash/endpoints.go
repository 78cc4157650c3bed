package bash

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how shell scripts send HTTP requests: by curl, wget and load generators.
var idioms = &services.Idioms{
	Names:    []string{"curl", "wget", "ab", "hey", "wrk"},
	Requests: requestOf,
}

// requestOf reads the request of a command such as curl -X POST "$ORDERS_URL/orders"; ok is false if the command
// makes none.
func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	switch c.Callee {
	case "curl", "wget", "ab", "hey", "wrk":
	default:
		return x, false
	}
	x = services.Request{Method: "GET", Sure: true}
	words := commandWords(r.After(c))
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		name, value, _ := strings.Cut(w, "=")
		switch {
		case w == "-X" || w == "-m" && c.Callee == "hey" || name == "--request" || name == "--method":
			if value == "" {
				value = next
			}
			x.Method = folding.MethodOf(value)
		case strings.HasPrefix(w, "-X"):
			x.Method = folding.MethodOf(w[len("-X"):])
		case strings.HasPrefix(name, "--data") || strings.HasPrefix(name, "--post-") || name == "--json" ||
			name == "--form" || w == "-d" || w == "-F" || w == "-p" && c.Callee == "ab":
			if x.Method == "GET" {
				x.Method = "POST"
			}
		case w == "-I" || w == "--head":
			x.Method = "HEAD"
		case i > 0 && hasValue[words[i-1]]:
		case x.URL == "" && (strings.Contains(w, "://") || address.MatchString(w)):
			x.URL = `"` + valued(r, c, w) + `"`
		}
	}
	return x, x.URL != ""
}

// hasValue lists the options of these commands that take a value which may look like a URL but is
// not the requested one, such as the file after -o.
var hasValue = map[string]bool{"-o": true, "--output": true, "-O": true, "--output-document": true, "-H": true,
	"--header": true, "-e": true, "--referer": true, "-x": true, "--proxy": true, "-P": true, "-c": true, "-b": true}

// address matches arguments that begin with a variable or with localhost, followed by a path: "$ORDERS_URL/orders",
// "localhost:8080/orders".
var address = regexp.MustCompile(`^(?:\$\{?\w+[^/\s]*|localhost(?::\d+)?)/`)

var expansion = regexp.MustCompile(`\$\{?([A-Za-z_]\w*)(?::?-([^}]*))?\}?`)

// valued replaces each variable in an argument by the value that the script assigns to it, or by a
// placeholder: "$ORDERS_URL/orders" becomes "http://orders/orders" or "{env:ORDERS_URL}/orders".
func valued(r *services.Reader, c *code.Call, word string) string {
	return expansion.ReplaceAllStringFunc(word, func(s string) string {
		m := expansion.FindStringSubmatch(s)
		if value, _ := r.Lookup(m[1], c.NameSpan.StartByte); strings.Contains(value, "/") ||
			hostName.MatchString(value) {
			if value = strings.Trim(value, `"'`); !strings.Contains(value, "$") {
				return value
			}
		}
		return folding.SettingHole(m[1], m[2])
	})
}

var hostName = regexp.MustCompile(`^["']?[a-z][\w.-]*(?::\d+)?["']?$`)

// commandWords splits the text after the name of a command into its arguments, without quotation marks.
func commandWords(text string) (out []string) {
	word, quote, started := strings.Builder{}, byte(0), false
	end := func() {
		if started {
			out = append(out, word.String())
		}
		word.Reset()
		started = false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(text):
			if i++; text[i] != '\n' {
				word.WriteByte(text[i])
				started = true
			}
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, started = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			end()
		case quote == 0 && strings.IndexByte("\n;|&)`", c) >= 0:
			end()
			return out
		default:
			word.WriteByte(c)
			started = true
		}
	}
	end()
	return out
}
