package folding

import (
	"regexp"
	"slices"
	"strings"
)

// Calls may compose texts: they join a list, format a text, trim a slash. The functions for this
// are similar in all languages.

// lastCall splits an expression that ends with a call into receiver, name and arguments:
// strings.Join(list, "/").
func lastCall(expr string) (receiver, name string, args []string, ok bool) {
	if !strings.HasSuffix(expr, ")") {
		return "", "", nil, false
	}
	for i := 0; i < len(expr); i++ {
		switch expr[i] {
		case '"', '\'', '`':
			i = SkipString(expr, i)
		case '[', '{':
			i = Closing(expr, i) - 1
		case '(':
			end := Closing(expr, i)
			if end < len(expr) {
				i = end - 1
				continue
			}
			head := strings.TrimSuffix(expr[:i], "!")
			start := len(head)
			for start > 0 && IsName(head[start-1]) {
				start--
			}
			return strings.TrimSpace(strings.TrimRight(head[:start], ".:?!->")), head[start:], ListItems(expr[i+1:]),
				start < len(head)
		}
	}
	return "", "", nil, false
}

// assembled folds a call that joins, concatenates, formats or trims texts, or that reads a setting by its name.
func (d *Folder) assembled(expr string, at, depth int) (string, bool) {
	if s, ok := d.settingByHelper(expr, at, depth); ok {
		return s, true
	}
	if s, ok := d.percent(expr, at, depth); ok {
		return s, true
	}
	receiver, name, args, ok := lastCall(expr)
	if !ok || len(args) == 0 {
		if ok && name == "concat" { // for example, [a, b].concat() in Rust
			return d.joined(d.listed(receiver, at), "", at, depth), len(d.listed(receiver, at)) > 1
		}
		return "", false
	}
	if joinsParts(name) && len(args) > 1 {
		return d.joined(args, "/", at, depth), true
	}
	switch strings.ToLower(name) {
	case "replace", "replaceall", "replacefirst", "gsub", "sub", "str_replace":
		return d.replaced(receiver, args, at, depth)
	case "join", "jointostring", "implode":
		items, separator := d.joins(receiver, name, args, at)
		if len(items) == 0 || separator != "/" && separator != "" {
			return "", false
		}
		return d.joined(items, separator, at, depth), true
	case "resolve":
		return d.joined(args, "/", at, depth), receiver == "url" && len(args) == 2
	case "concat", "sprint":
		switch receiver {
		case "", "fmt", "string", "String":
			return d.joined(args, "", at, depth), true
		}
		return d.joined(append([]string{receiver}, args...), "", at, depth), true
	case "addquerystring":
		return d.Step(args[0], at, depth+1), true
	case "rtrim", "trim", "ltrim", "trimsuffix", "trimprefix", "trimright", "trimleft":
		return d.Step(args[0], at, depth+1), receiver == "" || receiver == "strings"
	case "format", "formatted", "sprintf":
		return d.formatted(receiver, args, at, depth)
	}
	return "", false
}

// replaced folds a call that replaces a part of a text: url.replace(":id", id),
// strings.ReplaceAll(url, ":id", id), str_replace(":id", $id, $url). If the part is a regular
// expression, /\/$/, the result is the text unchanged.
func (d *Folder) replaced(receiver string, args []string, at, depth int) (string, bool) {
	switch {
	case receiver == "strings" && len(args) > 2:
		receiver, args = args[0], args[1:3]
	case receiver == "" && len(args) == 3: // str_replace of PHP
		receiver, args = args[2], args[:2]
	}
	if receiver == "" || len(args) < 2 {
		return "", false
	}
	text := d.Step(receiver, at, depth+1)
	old, quoted := Quoted(args[0])
	if !quoted || old == "" || !strings.Contains(text, old) {
		return text, readable(text)
	}
	return strings.Replace(text, old, d.Step(args[1], at, depth+1), 1), true
}

// joins returns the items and the separator of a call that joins texts: "/".join(list),
// list.join("/"), String.join("/", a, b), File.join(a, b).
func (d *Definitions) joins(receiver, name string, args []string, at int) (items []string, separator string) {
	first, quoted := Quoted(args[0])
	switch receiver {
	case "path", "posixpath", "os.path", "path.posix", "File", "URI", "Path":
		return args, "/"
	case "strings":
		if separator, ok := Quoted(args[len(args)-1]); ok && len(args) == 2 {
			return d.listed(args[0], at), separator
		}
		return nil, ""
	case "String", "string", "":
		if !quoted || len(args) < 2 || receiver == "" && name != "implode" {
			return nil, ""
		}
		if len(args) == 2 {
			return d.listed(args[1], at), first
		}
		return args[1:], first
	}
	if separator, ok := Quoted(receiver); ok {
		return d.listed(args[0], at), separator
	}
	if quoted && len(args) == 1 {
		return d.listed(receiver, at), first
	}
	return nil, ""
}

// listed returns the items of a list literal, or of the list that a variable holds; nil for any other expression.
func (d *Definitions) listed(expr string, at int) []string {
	if IsPlain(expr) {
		expr, _ = d.Lookup(LastWord(expr), at)
	}
	if expr = strings.TrimPrefix(expr, "&"); !ListStart.MatchString(expr) {
		return nil
	}
	return Listed(expr)
}

func (d *Folder) joined(items []string, separator string, at, depth int) (out string) {
	for i, item := range items {
		text := d.Step(item, at, depth+1)
		if i > 0 && separator == "/" {
			out = JoinURL(out, text)
		} else {
			out += text
		}
	}
	return out
}

// formatted folds a call that fills in a format which a variable holds: String.format(ITEM, id), ITEM.format(id=x).
func (d *Folder) formatted(receiver string, args []string, at, depth int) (string, bool) {
	format := receiver
	switch receiver {
	case "", "String", "string", "fmt", "MessageFormat", "Kernel":
		format, args = args[0], args[1:]
	}
	if !IsPlain(format) { // a literal format is folded by the method literal
		return "", false
	}
	text := d.Step(format, at, depth+1)
	return d.format(text, args, at, depth), strings.Contains(text, "/")
}

// percent folds "%s/items" % [base] in Ruby, and in Python if a variable holds the format.
func (d *Folder) percent(expr string, at, depth int) (string, bool) {
	if d.f.Language != "ruby" && d.f.Language != "python" {
		return "", false
	}
	i := outside(expr, "%")
	if i <= 0 {
		return "", false
	}
	args := strings.TrimSpace(expr[i+1:])
	list := []string{args}
	if strings.HasPrefix(args, "[") || strings.HasPrefix(args, "(") {
		list = ListItems(args[1:])
	}
	text := d.Step(expr[:i], at, depth+1)
	return d.format(text, list, at, depth), strings.Contains(text, "%") && strings.Contains(text, "/")
}

// choice folds a conditional expression, c ? a : b or a || b. If both branches have the same
// text, it returns that text. If both are queries or empty, it returns "?". If one is an address
// and the other empty, it returns the address. Of two addresses before the same path, it returns
// the one that more likely belongs to the workspace. In all other cases it returns the branch
// that the method chosen takes; ok is false if that takes none.
func (d *Folder) choice(expr string, at, depth int) (string, bool) {
	if !strings.Contains(expr, "?") && !strings.Contains(expr, " if ") && !strings.HasPrefix(expr, "if") &&
		!strings.Contains(expr, "||") && !strings.Contains(expr, " or ") {
		return "", false // this test is cheap and excludes most expressions
	}
	a, b, ok := branches(expr)
	if !ok {
		a, b, ok = orElse(expr)
	}
	if !ok {
		return d.otherwise(expr, at, depth)
	}
	first, second := d.Step(a, at, depth+1), d.Step(b, at, depth+1)
	query := func(s string) bool { return s == "" || s[0] == '?' || s[0] == '&' }
	switch {
	case first == second:
		return first, true
	case query(first) && query(second), strings.HasPrefix(second, "?") && isHole(first): // search || "?page=0"
		return "?", true
	case first == "" && isAddress(second):
		return second, true
	case second == "" && isAddress(first):
		return first, true
	}
	p, q := addressOf(first), addressOf(second)
	if p.path != q.path || p.rank == 0 || q.rank == 0 {
		return d.chosen(expr, first, second)
	}
	if q.rank > p.rank {
		return second, true
	}
	return first, true
}

// orElse splits a || b and a ?? b, if b is an empty string or a query.
func orElse(expr string) (a, b string, ok bool) {
	for _, operator := range []string{"||", "??"} {
		if i := outside(expr, operator); i > 0 {
			b = strings.TrimSpace(expr[i+len(operator):])
			return strings.TrimSpace(expr[:i]), b, b == `""` || b == "''" || len(b) > 1 && b[1] == '?'
		}
	}
	return "", "", false
}

// isAddress reports whether a text may be the start of a URL: "{base}/orders", "http://orders".
func isAddress(text string) bool {
	return strings.HasPrefix(text, "{") && text != "{}" || strings.Contains(text, "://")
}

// addressed is a text that starts with an address. path is the text after the address. rank
// grades how likely the workspace has a service at the address: a setting ranks highest, then a
// host name without dots, then this machine, then a public host. rank is 0 for a text without an
// address.
type addressed struct {
	path string
	rank int
}

func addressOf(url string) (a addressed) {
	url = strings.TrimRight(WithoutQuery(url), "/")
	if strings.HasPrefix(url, "{env:") {
		_, path, _ := strings.Cut(url, "}")
		return addressed{"/" + strings.TrimLeft(path, "/"), 4}
	}
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || strings.ContainsAny(scheme, "{/") {
		return a
	}
	host, path, _ := strings.Cut(rest, "/")
	switch {
	case strings.HasPrefix(host, "localhost"), strings.HasPrefix(host, "127."):
		return addressed{"/" + path, 2}
	case strings.Contains(host, "."):
		return addressed{"/" + path, 1}
	}
	return addressed{"/" + path, 3}
}

var (
	ifElse = regexp.MustCompile(`^if\b`)
	adding = regexp.MustCompile(`^\s*(?:\+=|\.=|<<)\s*`)
	adders = map[string]bool{"push_str": true, "Append": true, "append": true, "WriteString": true}
)

// ifBranches splits if (c) a else b of Kotlin and if c { a } else { b } of Rust.
func ifBranches(expr string) (a, b string, ok bool) {
	if !ifElse.MatchString(expr) {
		return "", "", false
	}
	rest := strings.TrimSpace(expr[len("if"):])
	if strings.HasPrefix(rest, "(") {
		rest = rest[Closing(rest, 0):]
	} else if i := strings.IndexByte(rest, '{'); i >= 0 {
		rest = rest[i:]
	}
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "{") {
		end := Closing(rest, 0)
		a, rest = strings.TrimSpace(strings.Trim(rest[:end], "{}")), strings.TrimSpace(rest[end:])
		b, ok = strings.CutPrefix(rest, "else")
	} else {
		a, b, ok = strings.Cut(rest, " else ")
	}
	b = strings.TrimSpace(b)
	if len(b) > 1 && b[0] == '{' {
		b = strings.TrimSpace(b[1 : len(b)-1])
	}
	return strings.TrimSpace(a), b, ok && a != "" && b != "" && !ifElse.MatchString(b)
}

// maxAdded is the largest number of places at which added looks for appended texts.
const maxAdded = 8

// added returns the texts that statements append to a variable between its assignment and a use:
// url += "/lines".
func (d *Folder) added(name string, from, to, depth int) (out string) {
	if from >= to || to-from > MaxEndpointText || d.Function(from) != d.Function(to) {
		return ""
	}
	region := d.Text[from:to]
	d.Fuel -= len(region) / 16 // a search by the library is faster than one byte by byte
	for i := 0; i < maxAdded && d.Fuel > 0; {
		next := strings.Index(region, name)
		if next < 0 {
			return out
		}
		start := from + next
		region, from = region[next+len(name):], start+len(name)
		if start > 0 && (IsName(d.Text[start-1]) && d.Text[start-1] != '$' || d.Text[start-1] == '.') {
			continue
		}
		rest := d.Text[from:to]
		var texts []string
		if m := adding.FindString(rest); m != "" {
			texts = []string{d.Expression(from + len(m))}
		} else if strings.HasPrefix(rest, ".") {
			for _, step := range StepsOf(rest) {
				d.Fuel -= len(step.Name) + len(strings.Join(step.Args, ""))
				if adders[step.Name] && len(step.Args) == 1 {
					texts = append(texts, step.Args[0])
				}
			}
		}
		for _, t := range texts {
			i++
			text := d.Step(t, start, depth+1)
			switch {
			case text == "?":
				return out + "?" // the query follows, perhaps in a function that calls this one
			case strings.HasPrefix(text, "?"), strings.HasPrefix(text, "&"):
				return out
			}
			out += text
		}
	}
	return out
}

// madeBelow returns the text of a name that no assignment sets: the texts that statements append
// to a string builder, var b strings.Builder, or the setting or URL that a Ruby method of one
// line returns. It returns "" if there is none.
func (d *Folder) madeBelow(name string, at, depth int) string {
	if d.f.Language != "ruby" {
		return d.builtFrom(name, at, depth)
	}
	body, ok := d.oneLiners()[name]
	if !ok {
		return ""
	}
	if s := d.Step(d.Text[body[0]:body[1]], body[0], depth+1); strings.Contains(s, "://") ||
		strings.HasPrefix(s, "{env:") {
		return s
	}
	return ""
}

// builtFrom returns the text that is appended to a builder after its nearest declaration above a byte offset. It
// returns "" if the text has no slash, or if the declaration is more than MaxEndpointText bytes above.
func (d *Folder) builtFrom(name string, at, depth int) string {
	declared := d.declaredBuilders()[name]
	i, _ := slices.BinarySearch(declared, at+1)
	if i == 0 || declared[i-1] < at-MaxEndpointText {
		return ""
	}
	s := d.added(name, declared[i-1], at, depth)
	if !strings.Contains(s, "/") && !OfAddresses(s) {
		return ""
	}
	return s
}

// buildsText matches the construction of a string builder with a text.
var buildsText = regexp.MustCompile(`^(?:new\s+)?String(?:Builder|Buffer)\(`)

// emptyBuilder matches the construction of a string builder without a text.
var emptyBuilder = regexp.MustCompile(`^(?:new\s+)?String(?:Builder|Buffer)\(\d*\)$`)

// builderForms lists, by language, the texts after the name in the declaration of a string builder, "
// strings.Builder" in var b strings.Builder; builderBefore holds the text before the name.
var (
	builderForms = map[string][]string{"go": {" strings.Builder", " bytes.Buffer"},
		"csharp": {" = new StringBuilder()"}, "java": {" = new StringBuilder()", " = new StringBuffer()"},
		"kotlin": {" = StringBuilder()"}}
	builderBefore = map[string]string{"go": "var "}
)

// declaredBuilders returns a map from the names of string builders to the offsets after their
// declarations, ascending. It reads the file only once, because most files declare some builders
// and most names are not builders.
func (d *Definitions) declaredBuilders() map[string][]int {
	if d.builders != nil {
		return d.builders
	}
	d.builders = map[string][]int{}
	for _, form := range builderForms[d.f.Language] {
		for from := 0; ; {
			i := strings.Index(d.Text[from:], form)
			if i < 0 {
				break
			}
			before := d.Text[max(0, from+i-maxBuilderName) : from+i]
			from += i + len(form)
			if at, name := lastName(before); name != "" && strings.HasSuffix(before[:at], builderBefore[d.f.Language]) {
				d.builders[name] = append(d.builders[name], from)
			}
		}
	}
	for _, declared := range d.builders {
		slices.Sort(declared)
	}
	return d.builders
}

// maxBuilderName is the largest length in bytes of a builder's name and the text before it.
const maxBuilderName = 80

var oneLiner = regexp.MustCompile(`\bdef (\w+)\n\s*([^\n]+)\n\s*end\b`)

// oneLiners returns a map from the names of Ruby methods with a single line to the byte ranges of
// their bodies. If several methods have one name, the first counts.
func (d *Definitions) oneLiners() map[string][2]int {
	if d.bodies == nil {
		d.bodies = map[string][2]int{}
		for _, m := range oneLiner.FindAllStringSubmatchIndex(d.Text, -1) {
			if name := d.Text[m[2]:m[3]]; d.bodies[name] == [2]int{} {
				d.bodies[name] = [2]int{m[4], m[5]}
			}
		}
	}
	return d.bodies
}

// addedTo returns the text that statements append to a variable between its assignment and a use at a byte offset.
func (d *Folder) addedTo(name, expr string, at, depth int) string {
	if expr != name {
		return ""
	}
	for _, def := range d.Defined(name, at) {
		if def.at < at {
			return d.added(name, def.Value, at, depth)
		}
	}
	return ""
}

// interpolatedEnd returns the index of the quotation mark that ends a string with interpolated
// expressions, which may contain strings themselves.
func interpolatedEnd(s string, start int) int {
	depth := 0
	for i := start + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '{' && i+1 < len(s) && s[i+1] == '{' && depth == 0,
			c == '}' && i+1 < len(s) && s[i+1] == '}' && depth == 0:
			i++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == s[start] && depth <= 0:
			return i
		}
	}
	return len(s)
}
