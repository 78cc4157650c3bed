package folding

import (
	"net/url"
	"regexp"
	"strings"

	"sextant/internal/code"
)

// A URL is often the result of a function: urls.order(id), UriHelper.Combine(base, "x"),
// self._url("/x"). If the file does not define the function, the call becomes a hole with the
// function's name and arguments, {call:urls.order(%7Bid%7D)}. l2meta/endpoint looks up the texts
// that functions of that name return.

const (
	CallMark = "call:"
	// MaxAsked is the largest number of arguments in {call:urls.order(1,2)}, the hole for a call
	// of an unknown function, maxArgument the largest number of bytes of each.
	MaxAsked    = 8
	maxArgument = 120
)

// Called parses the text of a hole, "call:urls.order(%7Bid%7D)", into the name of the function and
// its folded arguments; ok is false for other holes.
func Called(hole string) (name string, args []string, ok bool) {
	rest, ok := strings.CutPrefix(hole, CallMark)
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

// asked returns a hole for the call of a function that may return a part of an address: {call:urls.order(1)}. The
// function's name, its qualifier or a path among its arguments must suggest an address, unless sure is set. A function
// that is named like a constant, USER(id), is often the template of a path.
func (d *Folder) asked(expr string, at, depth int, sure bool) (string, bool) {
	if !strings.HasSuffix(expr, ")") {
		return "", false
	}
	receiver, name, args, ok := lastCall(expr)
	if !ok || len(args) > MaxAsked || Deaf[name] || receiver != "" && !IsPlain(receiver) {
		return "", false
	}
	if environmentReaders[name] && len(args) > 0 { // for example, os.Getenv(urlVariable)
		if key := d.Step(args[0], at, depth+1); Identifier.MatchString(key) {
			otherwise := ""
			if len(args) == 2 {
				otherwise, _ = Quoted(args[1])
			}
			return SettingHole(key, otherwise), true
		}
	}
	sure = sure || namesAddress(name) || namesAddress(LastWord(receiver)) || constantName.MatchString(name)
	if len(args) == 0 && !sure {
		return "", false
	}
	if receiver != "" {
		name = strings.TrimSuffix(strings.ReplaceAll(receiver, "->", "."), "()") + "." + name
	}
	var b strings.Builder
	b.WriteString("{" + CallMark + strings.Map(inName, name) + "(")
	for i, a := range args {
		text := "{}"
		if key, value, named := ByName(a); len(a) <= MaxEndpointText/10 && !IsFunction(a) {
			if text = d.Step(value, at, depth+1); named {
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

var constantName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{2,}$`)

// environmentReaders lists the functions that return the environment variable of a given name.
var environmentReaders = map[string]bool{"Getenv": true, "LookupEnv": true, "getenv": true,
	"GetEnvironmentVariable": true, "getEnv": true, "GetEnv": true, "get_env": true}

// ByName splits a named argument: path="/x", or path: "/x" in C#.
func ByName(arg string) (key, value string, named bool) {
	for _, sign := range []string{"=", ":"} {
		key, value, named = strings.Cut(arg, sign)
		if named && Identifier.MatchString(strings.TrimSpace(key)) && !strings.HasPrefix(value, sign) {
			return strings.TrimSpace(key), strings.TrimSpace(value), true
		}
	}
	return "", arg, false
}

// inName returns a character that may be part of a function's name unchanged, and -1 for others,
// so that [strings.Map] drops these.
func inName(c rune) rune {
	if c == '.' || c == '_' || c == '$' || c < 0x80 && IsLetter(byte(c)) {
		return c
	}
	return -1
}

// namesAddress reports whether the name of a function or of its qualifier suggests a part of an
// address: getUrl, urlFor, endpoints.
func namesAddress(name string) bool {
	lower := strings.ToLower(strings.TrimLeft(name, "_$"))
	return MentionsAddress(lower) || strings.HasPrefix(lower, "url") || strings.HasPrefix(lower, "uri") ||
		strings.HasPrefix(lower, "endpoint")
}

// joiners lists the names of functions that join the parts of an address by single slashes, in
// any spelling.
var joiners = map[string]bool{}

func init() {
	for _, what := range []string{"url", "urls", "uri", "uris", "urlpath", "urlparts", "path", "paths"} {
		for _, how := range []string{"join", "combine", "concat"} {
			joiners[how+what], joiners[what+how] = true, true
		}
	}
}

// joinsParts reports whether the name of a function is typical of one that joins the parts of a
// URL: url_join, combineUri.
func joinsParts(name string) bool {
	return joiners[strings.ReplaceAll(strings.ToLower(name), "_", "")]
}

const (
	// maxBuilder is the largest size in bytes of a function that only composes a text.
	maxBuilder = 900
	maxResults = 3 // largest number of results of one function that are read
)

// answersOf returns the offsets of the expressions that a function returns, if the function is small and may return
// an address or a topic.
func (d *Definitions) answersOf(s *code.Symbol) (out []int) {
	if !s.Kind.Callable() || s.Span.EndByte-s.Span.StartByte > maxBuilder || s.NameSpan.EndByte > s.Span.EndByte {
		return nil
	}
	text := d.Text[s.NameSpan.EndByte:s.Span.EndByte]
	if !namesAddress(s.Name) && !OfTopic(s.Name) && (!strings.ContainsAny(text, "\"'`") ||
		!strings.Contains(text, "/") && !mentionsSetting(text)) {
		return nil
	}
	for _, m := range returns.FindAllStringIndex(text, maxResults) {
		at := s.NameSpan.EndByte + m[1]
		if at < s.Span.EndByte && d.Text[at] == '>' { // the sign is an arrow: =>
			at++
		}
		if rest := d.Text[at:s.Span.EndByte]; rest != "" && rest[0] != '{' && rest[0] != '(' &&
			!strings.HasPrefix(rest, "async") {
			out = append(out, at)
		}
	}
	if len(out) == 0 && (d.f.Language == "rust" || d.f.Language == "ruby") {
		return lastLine(s, text)
	}
	return out
}

// mayAnswer reports whether the expression that a function returns may be part of an address or a
// topic. To be fast, it looks at the first line only. It returns false for most expressions.
func (d *Definitions) mayAnswer(at int, name string) bool {
	line, _, _ := strings.Cut(d.Text[at:min(len(d.Text), at+MaxLook)], "\n")
	return namesAddress(name) && !strings.HasPrefix(line, "{") ||
		strings.HasSuffix(name, "Request") && Identifier.MatchString(strings.TrimRight(line, "; \r")) ||
		line != "" && strings.IndexByte("\"'", line[0]) >= 0 && OfTopic(name) ||
		strings.Contains(line, "+") || d.begins(at, name)
}

// Declares reports whether the file declares a function called name.
func (d *Definitions) Declares(name string) bool {
	if d.callables == nil {
		d.callables = map[string]bool{}
		for i := range d.f.Symbols {
			if s := &d.f.Symbols[i]; s.Kind.Callable() {
				d.callables[s.Name] = true
			}
		}
	}
	return d.callables[name]
}

// lastLine returns the offset of the last line of a function, which is the result of the function in languages such
// as Ruby and Rust. It returns nil if that line is no complete expression.
func lastLine(s *code.Symbol, text string) []int {
	body := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(TrimBlank(text), "end"), "}"), " \t\r\n")
	i := strings.LastIndexByte(body, '\n') + 1
	at := i + len(body[i:]) - len(strings.TrimLeft(body[i:], " \t"))
	if i == 0 || at >= len(body) || strings.IndexByte(".})]", body[at]) >= 0 || body[len(body)-1] == ';' {
		return nil
	}
	return []int{s.NameSpan.EndByte + at}
}

// tellsResult reports whether the folded result of a function is worth recording: a URL, a path,
// a setting or a topic. If the name of the function suggests an address, two other results are as
// well: a field, "{config.base}", and a parameter with a text after it, "{#0:base}/x".
func tellsResult(name, value string) bool {
	if tells(name, value) || OfTopic(name) && Topical.MatchString(value) &&
		!IsSecret(name, value) {
		return true
	}
	if !namesAddress(name) || len(value) > 300 || strings.ContainsAny(value, " \n\t\"'`<>\\^") ||
		IsSecret(name, value) || !strings.HasPrefix(value, "{") {
		return false
	}
	if strings.HasPrefix(value, "{@") {
		return true // holes of fields that a constructor sets from its arguments
	}
	if OfAddresses(value) {
		return true
	}
	rest := value[strings.IndexByte(value, '}')+1:]
	return rest != "" && strings.Contains(value, "{#") || rest == "" && strings.Contains(value, ".") &&
		!strings.HasPrefix(value, "{#")
}

// Deaf lists the names of functions and receivers whose calls send no request with their
// arguments, such as loggers.
var Deaf = map[string]bool{}

func init() {
	for _, w := range strings.Fields(
		`require import log debug info warn warning error fatal trace print println printf sprintf Sprintf Printf
		Println Errorf Fatalf Infof console logger logging fmt describe it test expect assert t i18n translate path os fs filepath Path
		join resolve open readFile readFileSync writeFile render redirect navigate push split match startsWith endsWith
		replace replaceAll ReplaceAll str_replace gsub includes contains indexOf append format strftime Exception Error raise querySelector getElementById addEventListener createElement
		removeEventListener setAttribute getAttribute isinstance getattr hasattr setattr static sendFile strings regexp re RegExp Pattern
		OAuth2PasswordBearer OAuth2AuthorizationCodeBearer OpenIdConnect`) {
		Deaf[w] = true
	}
}
