package workspace

import "strings"

// pattern is one compiled line of an ignore file. It has the meaning that git's wildmatch gives
// it, quirks included; see gitignore(5) and git's test t0008.
//
// Matching backtracks only to the last "*" and the last "**", never to a stack of them. A hostile
// pattern therefore costs at most len(pattern)·len(path)·depth steps, not an exponential number.
type pattern struct {
	negate   bool    // "!": a matching path is not ignored after all
	dirOnly  bool    // trailing "/": only directories match
	anchored bool    // contains a "/": matched against the path, not the base name
	prefix   string  // literal text before the first special byte
	tokens   []token // the rest after prefix
	suffix   string  // for "*.log" and the like, if not anchored: the literal text after the star
}

type tokenKind uint8

const (
	tokByte      tokenKind = iota // the byte b
	tokAny                        // ?: any byte but /
	tokClass                      // […]: a byte in set, never /
	tokStar                       // *: any bytes but /
	tokDeep                       // **/: nothing, or any text up to and including a /
	tokDeepSlash                  // **\/: any text up to and including a /
	tokRest                       // a final **: the rest
)

// token is one step of a compiled pattern. b belongs to tokByte, set to tokClass.
type token struct {
	kind tokenKind
	b    byte
	set  *byteSet
}

// byteSet is a set of bytes, one bit for each.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// maxPatternBytes bounds one pattern. A path has at most 4,096 bytes, so a longer pattern could
// hardly match one.
const maxPatternBytes = 4096

// parsePattern compiles one line, without its line end. It reports false if the line cannot match
// anything: a comment, a blank line, a malformed bracket expression.
func parsePattern(line string) (p pattern, ok bool) {
	if i := strings.IndexByte(line, 0); i >= 0 {
		line = line[:i] // git reads lines as C strings, which end at a NUL
	}
	if strings.HasPrefix(line, "#") || len(line) > maxPatternBytes {
		return p, false
	}
	line = trimTrailingSpaces(line)
	line, p.negate = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return p, false
	}
	p.anchored = strings.IndexByte(line, '/') >= 0
	line = strings.TrimPrefix(line, "/")
	// Git compares the part before the first special byte literally and passes
	// only the rest to wildmatch. So it takes "foo**/bar" for "foo" and
	// "**/bar", as the tests against git confirm.
	n := len(line)
	if i := strings.IndexAny(line, `*?[\`); i >= 0 {
		n = i
	}
	p.prefix = line[:n]
	p.tokens, ok = compile(line[n:])
	if literal := strings.TrimPrefix(line[n:], "*"); !p.anchored && len(p.tokens) == len(literal)+1 &&
		p.tokens[0].kind == tokStar && !strings.ContainsAny(literal, `*?[\`) {
		p.suffix = literal
	}
	return p, ok
}

// Literal returns the part of a pattern that matches name, a path or a part of one, and nothing else:
// "a\[1]" for "a[1]".
func Literal(name string) string { return quoting.Replace(name) }

var quoting = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `)

// trimTrailingSpaces removes trailing spaces (not tabs) without a backslash
// before them.
func trimTrailingSpaces(s string) string {
	end := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if end < 0 {
				end = i
			}
		case '\\':
			i++
			if i == len(s) {
				return s
			}
			end = -1
		default:
			end = -1
		}
	}
	if end >= 0 {
		return s[:end]
	}
	return s
}

// compile compiles p. It reports false for an unclosed bracket expression and a final backslash.
func compile(p string) ([]token, bool) {
	if p == "" {
		return nil, true
	}
	tokens := make([]token, 0, len(p))
	for i := 0; i < len(p); {
		switch p[i] {
		case '*':
			t, next := compileStars(p, i)
			tokens = append(tokens, t)
			i = next
		case '?':
			tokens = append(tokens, token{kind: tokAny})
			i++
		case '[':
			set, next, ok := compileSet(p, i)
			if !ok {
				return nil, false
			}
			tokens = append(tokens, token{kind: tokClass, set: set})
			i = next
		case '\\':
			if i+1 == len(p) {
				return nil, false
			}
			tokens = append(tokens, token{kind: tokByte, b: p[i+1]})
			i += 2
		default:
			tokens = append(tokens, token{kind: tokByte, b: p[i]})
			i++
		}
	}
	return tokens, true
}

// compileStars compiles the stars at p[i] and returns the index after them. Two
// or more are special only between slashes or the ends of the pattern.
func compileStars(p string, i int) (token, int) {
	j := i
	for j < len(p) && p[j] == '*' {
		j++
	}
	if j-i >= 2 && (i == 0 || p[i-1] == '/') {
		switch rest := p[j:]; {
		case rest == "":
			return token{kind: tokRest}, j
		case rest[0] == '/':
			return token{kind: tokDeep}, j + 1
		case strings.HasPrefix(rest, `\/`):
			return token{kind: tokDeepSlash}, j + 2
		}
	}
	return token{kind: tokStar}, j
}

// compileSet compiles the bracket expression at p[i] and returns the index
// after it. It reports false if the set is not closed or names an unknown
// class; git matches nothing then.
func compileSet(p string, i int) (set *byteSet, next int, ok bool) {
	set = &byteSet{}
	at := func(k int) byte {
		if k < len(p) {
			return p[k]
		}
		return 0
	}
	i++
	negated := at(i) == '!' || at(i) == '^'
	if negated {
		i++
	}
	var prev byte // the last single byte; 0 after a range or a class
	for first := true; first || at(i) != ']'; first = false {
		c := at(i)
		switch {
		case c == 0:
			return nil, 0, false
		case c == '\\':
			i++
			if c = at(i); c == 0 {
				return nil, 0, false
			}
			set.add(c)
			prev = c
		case c == '-' && prev != 0 && at(i+1) != 0 && at(i+1) != ']':
			i++
			if at(i) == '\\' {
				i++
			}
			hi := at(i)
			if hi == 0 {
				return nil, 0, false
			}
			for b := int(prev); b <= int(hi); b++ {
				set.add(byte(b))
			}
			prev = 0
		case c == '[' && at(i+1) == ':':
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return nil, 0, false
			}
			name, closed := strings.CutSuffix(p[i+2:i+2+end], ":")
			if !closed {
				set.add('[')
				prev = '['
				break
			}
			if !set.addClass(name) {
				return nil, 0, false
			}
			i += 2 + end
			prev = 0
		default:
			set.add(c)
			prev = c
		}
		i++
	}
	if negated {
		for k := range set {
			set[k] = ^set[k]
		}
	}
	set['/'>>6] &^= 1 << ('/' & 63)
	return set, i + 1, true
}

// addClass adds the ASCII bytes of a POSIX class, such as "alpha". It reports
// false for an unknown one.
func (s *byteSet) addClass(name string) bool {
	in, ok := posixClasses[name]
	if !ok {
		return false
	}
	for b := range byte(0x80) {
		if in(b) {
			s.add(b)
		}
	}
	return true
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }
func isDigit(b byte) bool { return '0' <= b && b <= '9' }
func isAlpha(b byte) bool { return isLower(b) || isUpper(b) }
func isAlnum(b byte) bool { return isAlpha(b) || isDigit(b) }
func isGraph(b byte) bool { return b > ' ' && b < 0x7f }

// posixClasses maps the names of character classes, such as digit in [[:digit:]], to functions
// that test a byte. As in git, "space" includes neither \v nor \f.
var posixClasses = map[string]func(byte) bool{
	"alnum":  isAlnum,
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  isLower,
	"print":  func(b byte) bool { return isGraph(b) || b == ' ' },
	"punct":  func(b byte) bool { return isGraph(b) && !isAlnum(b) },
	"space":  func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' },
	"upper":  isUpper,
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F' },
}

// match reports whether p matches s: the path relative to the directory of the
// pattern if p is anchored, else the base name.
func (p *pattern) match(s string) bool {
	rest, ok := strings.CutPrefix(s, p.prefix)
	if !ok {
		return false
	}
	switch n := len(p.tokens); {
	case n == 0:
		return rest == ""
	case p.suffix != "":
		return strings.HasSuffix(rest, p.suffix)
	case !p.tokens[n-1].ends(rest): // most patterns differ from most names here
		return false
	}
	return matchTokens(p.tokens, rest)
}

// ends reports whether a pattern that ends in t can match a text that ends like s.
func (t *token) ends(s string) bool {
	return t.kind > tokClass || s != "" && t.matches(s[len(s)-1])
}

// matchTokens reports whether toks match all of s.
func matchTokens(toks []token, s string) bool {
	ti, si := 0, 0
	starT, starS := -1, 0 // after the last *: next token, and end of what the * covers
	deepT, deepS := -1, 0 // the same for the last **
	for {
		if ti == len(toks) {
			if si == len(s) {
				return true
			}
		} else {
			switch t := toks[ti]; t.kind {
			case tokRest:
				return true
			case tokStar:
				ti++
				starT, starS = ti, si
				continue
			case tokDeep:
				ti++
				deepT, deepS, starT = ti, si, -1
				continue
			case tokDeepSlash: // matches up to a slash, which is searched next
				deepT, deepS, starT = ti+1, si, -1
			default:
				if si < len(s) && t.matches(s[si]) {
					ti++
					si++
					continue
				}
			}
		}
		if starT >= 0 && starS < len(s) && s[starS] != '/' {
			starS++
			ti, si = starT, starS
			continue
		}
		k := strings.IndexByte(s[deepS:], '/')
		if deepT < 0 || k < 0 {
			return false
		}
		deepS += k + 1
		ti, si, starT = deepT, deepS, -1
	}
}

// matches reports whether b is the one byte that a tokByte, tokAny or tokClass matches.
func (t token) matches(b byte) bool {
	switch t.kind {
	case tokByte:
		return t.b == b
	case tokAny:
		return b != '/'
	}
	return t.set.has(b)
}
