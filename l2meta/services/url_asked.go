package services

import (
	"net/url"
	"slices"
	"strings"

	"sextant/internal/code"
)

// A URL is often what a function gives back: urls.order(id), UriHelper.Combine(base, "x"),
// self._url("/x"). What the file does not say itself is a hole that names the function
// and what it is passed, {call:urls.order(%7Bid%7D)}; l2meta/endpoint looks for what
// functions of that name return.

const (
	callMark = "call:"
	// maxAsked bounds the arguments of a call in a hole, maxArgument the bytes of each.
	maxAsked    = 8
	maxArgument = 120
)

// Called parts the text of a hole, "call:urls.order(%7Bid%7D)", into the name of the
// function and the folded texts that it is passed. It reports whether it is one.
func Called(hole string) (name string, args []string, ok bool) {
	rest, ok := strings.CutPrefix(hole, callMark)
	open := strings.IndexByte(rest, '(')
	if !ok || open <= 0 {
		return "", nil, false
	}
	if list := strings.TrimSuffix(rest[open+1:], ")"); list != "" {
		for _, a := range strings.Split(list, ",") {
			text, err := url.QueryUnescape(a)
			if err != nil {
				text = "{}"
			}
			args = append(args, text)
		}
	}
	return rest[:open], args, true
}

// asked returns the hole of a call of a function that may give a part of an address, by
// its name, by that of what it belongs to, or by a path that it is passed. With sure it
// gives one for any function.
func (d *folder) asked(expr string, at, depth int, sure bool) (string, bool) {
	if !strings.HasSuffix(expr, ")") {
		return "", false
	}
	receiver, name, args, ok := lastCall(expr)
	if !ok || len(args) > maxAsked || deaf[name] || receiver != "" && !isPlain(receiver) {
		return "", false
	}
	if environmentReaders[name] && len(args) > 0 { // os.Getenv(urlVariable)
		if key := d.step(args[0], at, depth+1); identifier.MatchString(key) {
			otherwise := ""
			if len(args) == 2 {
				otherwise, _ = Quoted(args[1])
			}
			return SettingHole(key, otherwise), true
		}
	}
	sure = sure || namesAddress(name) || namesAddress(LastWord(receiver))
	if len(args) == 0 && !sure {
		return "", false
	}
	if receiver != "" {
		name = strings.TrimSuffix(strings.ReplaceAll(receiver, "->", "."), "()") + "." + name
	}
	var b strings.Builder
	b.WriteString("{" + callMark + strings.Map(inName, name) + "(")
	for i, a := range args {
		text := "{}"
		if key, value, named := byName(a); len(a) <= maxEndpointText/10 && !IsFunction(a) {
			if text = d.step(value, at, depth+1); named {
				text = key + "=" + text
			}
		}
		if len(text) > maxArgument {
			text = "{}"
		}
		sure = sure || strings.Contains(text, "/")
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(url.QueryEscape(text))
	}
	return b.String() + ")}", sure
}

// environmentReaders are the functions that give the variable of the environment that
// they are passed the name of.
var environmentReaders = map[string]bool{"Getenv": true, "LookupEnv": true, "getenv": true,
	"GetEnvironmentVariable": true, "getEnv": true, "GetEnv": true, "get_env": true}

// byName parts an argument that is given by name: path="/x", and path: "/x" of C#.
func byName(arg string) (key, value string, named bool) {
	for _, sign := range []string{"=", ":"} {
		key, value, named = strings.Cut(arg, sign)
		if named && identifier.MatchString(strings.TrimSpace(key)) && !strings.HasPrefix(value, sign) {
			return strings.TrimSpace(key), strings.TrimSpace(value), true
		}
	}
	return "", arg, false
}

// inName keeps what the name of a function is made of.
func inName(c rune) rune {
	if c == '.' || c == '_' || c == '$' || c < 0x80 && isLetter(byte(c)) {
		return c
	}
	return -1
}

// namesAddress reports whether a function or what it belongs to is named after what an
// address is made of: getUrl, urlFor, endpoints.
func namesAddress(name string) bool {
	lower := strings.ToLower(strings.TrimLeft(name, "_$"))
	return mentionsAddress(lower) || strings.HasPrefix(lower, "url") || strings.HasPrefix(lower, "uri") ||
		strings.HasPrefix(lower, "endpoint")
}

// joiners are the names of functions that put the parts of an address together with
// one slash between, in any spelling.
var joiners = map[string]bool{}

func init() {
	for _, what := range []string{"url", "urls", "uri", "uris", "urlpath", "urlparts"} {
		for _, how := range []string{"join", "combine", "concat"} {
			joiners[how+what], joiners[what+how] = true, true
		}
	}
}

// joinsParts reports whether a function is named as one that joins the parts of a URL.
func joinsParts(name string) bool {
	return joiners[strings.ReplaceAll(strings.ToLower(name), "_", "")]
}

const (
	// maxBuilder bounds the body of a function that does no more than put a text
	// together, in bytes.
	maxBuilder = 900
	maxResults = 3 // of one function that are read
)

// answersOf returns where the expressions stand that a small function returns.
func (d *folder) answersOf(s *code.Symbol) (out []int) {
	if !s.Kind.Callable() || s.Span.EndByte-s.Span.StartByte > maxBuilder || s.NameSpan.EndByte > s.Span.EndByte {
		return nil
	}
	text := d.text[s.NameSpan.EndByte:s.Span.EndByte]
	if !namesAddress(s.Name) && (!strings.ContainsAny(text, "\"'`") ||
		!strings.Contains(text, "/") && !mentionsSetting(text)) {
		return nil
	}
	for _, m := range returns.FindAllStringIndex(text, maxResults) {
		at := s.NameSpan.EndByte + m[1]
		if at < s.Span.EndByte && d.text[at] == '>' { // =>
			at++
		}
		if rest := d.text[at:s.Span.EndByte]; rest != "" && rest[0] != '{' && rest[0] != '(' &&
			!strings.HasPrefix(rest, "async") {
			out = append(out, at)
		}
	}
	if len(out) == 0 && (d.f.Language == "rust" || d.f.Language == "ruby") {
		return d.lastLine(s, text)
	}
	return out
}

// mayAnswer is false for most of what functions return, at the cost of a look at the
// first line, as begins is for values.
func (d *folder) mayAnswer(at int, name string) bool {
	line, _, _ := strings.Cut(d.text[at:min(len(d.text), at+maxLook)], "\n")
	return namesAddress(name) && !strings.HasPrefix(line, "{") || strings.Contains(line, "+") || d.begins(at, name)
}

// declares reports whether the file declares a function of a name.
func (d *folder) declares(name string) bool {
	return slices.ContainsFunc(d.f.Symbols, func(s code.Symbol) bool { return s.Name == name && s.Kind.Callable() })
}

// lastLine returns where the last line of a function stands, which is what it returns in
// languages of expressions; nothing where that is no expression of its own.
func (d *folder) lastLine(s *code.Symbol, text string) []int {
	body := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(trimBlank(text), "end"), "}"), " \t\r\n")
	i := strings.LastIndexByte(body, '\n') + 1
	at := i + len(body[i:]) - len(strings.TrimLeft(body[i:], " \t"))
	if i == 0 || at >= len(body) || strings.IndexByte(".})]", body[at]) >= 0 || body[len(body)-1] == ';' {
		return nil
	}
	return []int{s.NameSpan.EndByte + at}
}

// tellsResult reports whether what a function returns says more than its name: a text
// that tells, or, of a function that is named after an address, one that passes a
// parameter on or names a member.
func tellsResult(name, value string) bool {
	if tells(name, value) {
		return true
	}
	if !namesAddress(name) || len(value) > 300 || strings.ContainsAny(value, " \n\t\"'`<>|\\^") ||
		secretLike.MatchString(strings.ToUpper(name)) || !strings.HasPrefix(value, "{") {
		return false
	}
	rest := value[strings.IndexByte(value, '}')+1:]
	return rest != "" && strings.Contains(value, "{#") || rest == "" && strings.Contains(value, ".") &&
		!strings.HasPrefix(value, "{#")
}

// Declares reports whether the file declares a function of a name.
func (r *Reader) Declares(name string) bool { return r.fold.declares(name) }
