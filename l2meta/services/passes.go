package services

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/syntax"
)

// passReader extracts the arguments of calls whose callees may use them for a request or a message.
type passReader struct{ *Reader }

// passes returns a fact with the arguments of a call whose callee may use them for a request or a message:
// get("/orders"). url is the absolute URL among the arguments, "" for none. ok is false if no argument is relevant.
func (pr *passReader) passes(c *code.Call) (fact code.Fact, url string, ok bool) {
	if callee, args := pr.handsOn(c); callee != "" {
		return pr.passing(c, callee, args, false, folding.Speaks(callee))
	}
	based := c.Kind == code.CallSuper && basedOn[c.Callee]
	if c.Kind != code.CallPlain && c.Kind != code.CallNew && !based || folding.Deaf[c.Callee] && !pr.ownMethod(c) ||
		folding.Deaf[folding.LastWord(c.Receiver)] || c.Receiver == "url" && strings.EqualFold(c.Callee, "parse") ||
		pr.File.Language == "go" && c.Receiver == "" && c.Callee == "make" {
		return fact, "", false
	}
	text := pr.After(c)
	open := folding.Opening(text)
	if open < 0 {
		return fact, "", false
	}
	words, topics := pr.passesWords(c) || PlainVerb(c.Callee) != "" && spreads.MatchString(text[open:]),
		passesTopics(c) || pr.handsTopicOn(c) || passesTask(text[open:min(len(text), open+maxTaskAt)]) ||
			passesNamedTopic(c, text[open:])
	may := words || topics || namesHTTP(c.Callee) || mayPass(text[open:min(len(text), open+400)])
	if !may && !pr.makesValue(c.Callee) {
		return fact, "", false
	}
	args := folding.ListItems(text[open+1:])
	if !may && !slices.ContainsFunc(args, mayMakeWith) {
		return fact, "", false
	}
	fact, url, ok = pr.passing(c, c.Callee, args, words, topics)
	if based {
		url = "" // a base class may request it, but no constructor does
	}
	return fact, url, ok
}

// ownMethod reports whether a call runs a method that the file declares for the object around the call: c.open(url) and
// this.resolve(path), unlike os.open(path) and path.resolve(path).
func (pr *passReader) ownMethod(c *code.Call) bool {
	own := c.Receiver == "this" || c.Receiver == "self" || c.Receiver != "" && c.Receiver == pr.receiver(c)
	return own && pr.Folder.Declares(c.Callee)
}

// basedOn are the names by which a constructor calls that of its base class: super("http://orders").
var basedOn = map[string]bool{"super": true, "__init__": true, "__construct": true, "base": true, "initialize": true}

// passing returns the fact that the function callee is called with args. words says that the first argument may be a
// path without a slash, topics that an argument may be a topic. ok is false if no argument is relevant.
func (pr *passReader) passing(c *code.Call, callee string, args []string, words, topics bool) (
	fact code.Fact, url string, ok bool) {
	if len(args) == 0 || len(args) > 12 {
		return fact, "", false
	}
	written := args[0]
	args = pr.spread(c, args)
	own, makes := !folding.AsksFor(folding.LastWord(c.Receiver)) || args[0] != written, pr.makesValue(callee)
	var b strings.Builder
	b.WriteString(callee)
	for i, a := range args {
		b.WriteByte('\t')
		told, passed := pr.passed(a, c.NameSpan.StartByte, !strings.HasPrefix(a, "{"))
		if held := pr.passedObject(a, c.NameSpan.StartByte); held != "" {
			told, passed = true, held
		}
		if held := ""; topics {
			if held = pr.passedTopics(a, c.NameSpan.StartByte); held != "" {
				ok, passed = true, held
			}
		}
		ok = ok || topics && pr.passesTopic(i, a, passed)
		ok = ok || makes && i < maxTopicAt && madeWithTopic(a, passed)
		ok = ok || words && i == 0 && (folding.IsStep(passed) || own && strings.HasPrefix(passed, "{#") ||
			importedConstant.MatchString(passed))
		ok = ok || i < maxStepAt && pr.passesStep(c, a, passed)
		if _, value, named := strings.Cut(passed, "="); told && named && !strings.HasPrefix(passed, "{") {
			url = cmp.Or(url, absolute(value))
		} else if told {
			url = cmp.Or(url, absolute(passed))
		}
		b.WriteString(passed)
		ok = ok || told
	}
	if !ok {
		return fact, "", false
	}
	return code.Fact{Kind: code.FactEndpoint, Owner: c.Caller, Name: l2meta.RolePass, Type: b.String(),
		Span: c.NameSpan}, url, true
}

// importedConstant matches a constant of another file, which may hold a path: {ORDERS}, {routes.ORDERS}.
var importedConstant = regexp.MustCompile(`^\{(?:\w+\.)*[A-Z][A-Z0-9_]{2,}\}$`)

// endsInVerb reports whether the last word of a name is an HTTP method: apiGet, api_post.
func endsInVerb(name string) (ends bool) {
	eachWord(name, func(word []byte) bool {
		ends = PlainVerb(string(word)) != ""
		return true
	})
	return ends
}

// passesWords reports whether the name of a call is typical of a helper for requests, whose
// argument may be the first segment of a path without a slash, or a constant: get("orders"),
// UserService.get("users"), apiGet(ORDERS), wrapper.post("orders") with wrapper from another file.
func (pr *passReader) passesWords(c *code.Call) bool {
	if c.Kind != code.CallPlain || Verb(c.Callee) == "" && !makesRequests(c.Callee) && !endsInVerb(c.Callee) {
		return false
	}
	return c.Receiver == "" || c.Receiver == "this" || c.Receiver == "self" || c.Receiver == pr.receiver(c) ||
		PlainVerb(c.Callee) != "" && (folding.AsksFor(folding.LastWord(c.Receiver)) || pr.Binds(c.Receiver))
}

// maxDigits is the largest number of digits of a number that may be a port.
const maxDigits = 5

// maxStepAt is the number of leading arguments that may be a segment of a path: http_get(8081,
// "orders").
const maxStepAt = 3

// passesStep reports whether an argument is a word in quotes, passed to a function of the file
// that is named after HTTP. Such a function may compose a URL from a port, a path and a query.
func (pr *passReader) passesStep(c *code.Call, arg, passed string) bool {
	return c.Kind == code.CallPlain && arg != "" && strings.IndexByte("\"'`", arg[0]) >= 0 && folding.IsStep(passed) &&
		namesHTTP(c.Callee) && pr.Folder.Declares(c.Callee)
}

// namesHTTP reports whether a word of a name is http: http_get, getHttp.
func namesHTTP(name string) (found bool) {
	eachWord(name, func(word []byte) bool {
		found = found || string(word) == "http"
		return !found
	})
	return found
}

// makesRequests reports whether the name of a function is typical of a helper that sends requests
// for its callers: call, doRequest.
func makesRequests(name string) bool {
	name = strings.TrimPrefix(name, "_")
	return slices.ContainsFunc(requesting, func(verb string) bool {
		if len(name) < len(verb) || !strings.EqualFold(name[:len(verb)], verb) {
			return false
		}
		rest := name[len(verb):]
		return rest == "" || 'A' <= rest[0] && rest[0] <= 'Z' || rest[0] == '_' && rest != "_"
	})
}

var requesting = strings.Fields("call do send make perform exec execute invoke fetch request")

// receiver returns the name of the receiver in the Go method around a call, "" for any other function.
func (pr *passReader) receiver(c *code.Call) string {
	if pr.File.Language != "go" || c.Caller < 0 {
		return ""
	}
	head := pr.Text[pr.File.Symbols[c.Caller].Span.StartByte:]
	m := goReceiver.FindStringSubmatch(head[:min(len(head), folding.MaxLook)])
	if m == nil {
		return ""
	}
	return m[1]
}

var goReceiver = regexp.MustCompile(`^func \((\w+) `)

// makesValue reports whether a Go function has the name of a constructor, such as NewProducer.
// Its result may carry messages of one topic.
func (pr *passReader) makesValue(callee string) bool {
	return pr.File.Language == "go" && len(callee) > 3 && (callee[:3] == "new" || callee[:3] == "New") &&
		'A' <= callee[3] && callee[3] <= 'Z'
}

// mayMakeWith reports whether an argument may be the topic with which a value is constructed,
// NewProducer(topic), or a value that was constructed with a topic, NewService(producer). It
// looks at names only, and returns false for most arguments.
func mayMakeWith(arg string) bool {
	if strings.HasPrefix(arg, `"`) {
		return strings.IndexByte(arg, ' ') < 0 // a sentence is no topic
	}
	name := folding.LastWord(arg)
	return strings.IndexByte(arg, '"') >= 0 || folding.OfTopic(name) || folding.Speaks(name) ||
		folding.EndsIn(name, folding.Carrying)
}

// madeWithTopic reports whether an argument is probably the topic with which a value is constructed: a literal of
// several words, "order.paid", or a parameter with a name such as topic.
func madeWithTopic(arg, folded string) bool {
	if name, is := strings.CutPrefix(folded, "{#"); is {
		return folding.OfTopic(strings.TrimSuffix(name, "}"))
	}
	return severalParts.MatchString(folded) && arg[0] == '"' || namesTopic(arg, folded)
}

var severalParts = regexp.MustCompile(`^[a-z]\w*(?:[._-]\w+)+$`)

// passedTopics encodes an object or a list that may hold topics: "{queue=orders" for {queue: "orders"}, "[paid␞sent"
// for ["paid", "sent"]. It returns "" for any other argument.
func (pr *passReader) passedTopics(arg string, at int) string {
	if name, value, named := folding.ByName(arg); named {
		if value = pr.AsList(value); strings.HasPrefix(value, "[") { // for example, consume(topics=("paid", "sent"))
			if held := pr.passedTopics(value, at); held != "" {
				return name + "=" + held
			}
		}
		return ""
	}
	var items []string
	switch start := folding.ListStart.FindString(arg); {
	case strings.HasPrefix(arg, "{"):
		for _, item := range folding.ListItems(arg[1:]) {
			key, value, named := strings.Cut(item, ":")
			if value = strings.TrimSpace(value); !named {
				value = item
			}
			key = strings.Trim(strings.TrimSpace(key), `"'`)
			if !folding.Identifier.MatchString(key) || len(items) > folding.MaxAsked {
				continue
			}
			held := pr.passedTopics(value, at)
			if told, text := pr.passed(value, at, false); held == "" &&
				(told || namesMethod(text) || mayBeTopic(value, text) || namesTopic(value, text)) {
				held = text
			}
			if held != "" && !strings.HasPrefix(value, "{") {
				items = append(items, key+"="+held)
			}
		}
		if len(items) > 0 {
			return "{" + strings.Join(items, unit)
		}
	case start != "":
		for _, item := range folding.ListItems(arg[len(start):]) {
			if _, text := pr.passed(item, at, false); (mayBeTopic(item, text) || namesTopic(item, text)) &&
				len(items) < folding.MaxAsked {
				items = append(items, text)
			}
		}
		if len(items) > 0 {
			return "[" + strings.Join(items, listed)
		}
	}
	return ""
}

// listed separates the items of a list in the text of a fact.
const listed = "\x1e"

// Items returns the texts of an argument in a fact: paid and sent for the list "[paid␞sent". For
// any other argument it returns the argument alone.
func Items(arg string) []string {
	if list, ok := strings.CutPrefix(arg, "["); ok {
		return strings.Split(list, listed)
	}
	return []string{arg}
}

var (
	// speaker matches the names of classes that publish or consume.
	speaker = regexp.MustCompile(
		`(?:Consumer|Subscriber|Listener|Publisher|Producer|Sender|Emitter|Bus|Broker)(?:Service|Client|Impl|Adapter)?$`)
	answersWith = regexp.MustCompile(`^(?i:res|resp|response|reply|socket|ws|io|ctx|req|request|mail\w*)$`)
	// constantHole matches a folded text that is the name of a constant of another file, in braces: {Topics.PAID},
	// {EventSubjects::Paid}.
	constantHole = regexp.MustCompile(`^\{(?:\w+[.:]+)*[A-Z]\w*(?:[.:]+\w+)*\}$`)
)

// mayBeTopic reports whether an argument may be a topic: a word in quotes, a constant, a setting, or
// a parameter that is passed on.
func mayBeTopic(arg, folded string) bool {
	quoted := arg != "" && strings.IndexByte("\"'`", arg[0]) >= 0
	return folding.Topical.MatchString(folded) && (quoted || strings.Contains(folded, ".")) ||
		constantHole.MatchString(folded) || strings.HasPrefix(folded, "{env:") || strings.HasPrefix(folded, "{#")
}

// keepPasses records the arguments of a call, once for each combination of branches that
// conditions in the call may take. It returns the number of facts recorded.
func (pr *passReader) keepPasses(c *code.Call) int {
	before := len(pr.out)
	pr.Folder.EachItem(pr.topicVariable(c), c.NameSpan.StartByte, func() {
		pr.ways(func() {
			if fact, url, ok := pr.passes(c); ok && !pr.published(c.Caller, c.NameSpan, sidecarURL(fact.Type)) {
				pr.out = append(pr.out, fact)
				if url != "" {
					pr.Keep(l2meta.RoleFetch, c.Caller, c.NameSpan, "?"+Verb(c.Callee), url, "")
				}
			}
			pr.keepHanded(c)
		})
	})
	return len(pr.out) - before
}

// sidecarURL returns the path in an object among the arguments of a fact by which a sidecar of Dapr publishes a message
// or calls a binding: request({uri: "http://localhost:3500/v1.0/publish/shop/orders"}). It returns "" if there is none.
func sidecarURL(fact string) string {
	for _, path := range []string{"/v1.0/publish/", "/v1.0/bindings/"} {
		at := strings.Index(fact, path)
		if object := strings.LastIndex(fact[:max(at, 0)], "\t{"); object < 0 || !inObject.MatchString(fact[object+1:at]) {
			continue
		}
		url := fact[at:]
		if end := strings.IndexAny(url, "\t"+unit+listed); end >= 0 {
			url = url[:end]
		}
		return url
	}
	return ""
}

// inObject matches the start of an object in a fact.
var inObject = regexp.MustCompile(`^\{\w+=`)

// topicVariable returns the variable that a call such as publish(topic, m) gets as its topic; ""
// if there is none. A loop over topics may set the variable.
func (pr *passReader) topicVariable(c *code.Call) string {
	if !passesTopics(c) {
		return ""
	}
	args := pr.Arguments(c)
	for _, arg := range args[:min(len(args), maxTopicAt)] {
		if folding.Identifier.MatchString(arg) && folding.OfTopic(arg) {
			return arg
		}
	}
	return ""
}

// absolute returns a text without its query if it is a URL with a path and a host, or with a setting in place of the
// host: {env:ORDERS_URL}/items. It returns "" for any other text.
func absolute(text string) string {
	text = folding.WithoutQuery(text)
	_, behind, scheme := strings.Cut(text, "://")
	if strings.HasPrefix(text, "{env:") ||
		scheme && (strings.HasPrefix(text, "http") || strings.HasPrefix(text, "{")) {
		if !scheme {
			_, behind, _ = strings.Cut(text, "}")
		}
		// a URL with only the root path is the base of others
		if i := folding.PathStart(behind); i >= 0 && i+1 < len(behind) {
			return text
		}
	}
	return ""
}

// mayPass reports whether the arguments of a call may contain a part of an address. It is cheap,
// and returns false for most calls.
func mayPass(text string) bool {
	if quote := strings.IndexAny(text, "\"'`"); quote >= 0 && strings.IndexByte(text[quote:], '/') > 0 {
		return true
	}
	return folding.Mentions(text, addressing) || folding.MentionsEnvironment(text)
}

// addressing lists parts of names that suggest an address, or an object with one.
var addressing = strings.Fields("url uri path endpoint addr base host option")

// passed returns the folded text of an argument. told reports whether the text may be part of an
// address. An object is encoded as its keys and values, "{url=/x" for {url: "/x"}, with unit
// separators between them. If plain is set, a named argument keeps its name: "url=/x".
func (pr *passReader) passed(arg string, at int, plain bool) (told bool, text string) {
	if name, value, ok := folding.ByName(arg); ok && plain && !strings.HasPrefix(value, ">") {
		told, text = pr.passed(value, at, false) // a named argument: f(url=x)
		return told, name + "=" + text
	}
	if strings.HasPrefix(arg, "{") {
		var items []string
		for _, item := range folding.ListItems(arg[1:]) {
			key, value, ok := strings.Cut(item, ":")
			if !ok && folding.Identifier.MatchString(item) { // {url} is {url: url}
				value, ok = item, true
			}
			if !ok || len(items) > 8 {
				continue
			}
			key = strings.Trim(strings.TrimSpace(key), `"'`)
			t, v := pr.passed(strings.TrimSpace(value), at, false)
			if t || namesMethod(v) || isStep(value, v) {
				told = told || t
				items = append(items, key+"="+v)
			}
		}
		return told, "{" + strings.Join(items, unit)
	}
	if object := pr.optionsHeld(arg, at); object != "" {
		return pr.passed(object, at, false)
	}
	if method := pr.methodHeld(arg, at); method != "" {
		return false, "{method=" + method
	}
	if len(arg) > 300 || folding.IsFunction(arg) {
		return false, "{}"
	}
	if len(arg) <= maxDigits && arg != "" && strings.Trim(arg, "0123456789") == "" { // the number may be a port
		return false, arg
	}
	text = inFact.Replace(syntax.OneLine([]byte(pr.Fold(arg, at))))
	return speaking(folding.WithoutQuery(text)), text
}

// optionsHeld returns the object with a URL that a variable holds: {url: "/tags", method: "PUT"} for options after
// const options = {url: "/tags", method: "PUT"}. It returns "" for any other argument.
func (pr *passReader) optionsHeld(arg string, at int) string {
	if !folding.Identifier.MatchString(arg) {
		return ""
	}
	value, where := pr.Lookup(arg, at)
	if where >= at || !strings.HasPrefix(value, "{") || folding.Property(value, "url") == "" {
		return ""
	}
	return value
}

// methodHeld returns the HTTP method in the options that a variable holds: PATCH for options after
// const options = { json, method: 'PATCH' }. It returns "" for any other argument.
func (pr *passReader) methodHeld(arg string, at int) string {
	if !folding.Identifier.MatchString(arg) {
		return ""
	}
	value, _ := pr.Lookup(arg, at)
	if !strings.HasPrefix(value, "{") {
		return ""
	}
	return folding.MethodOf(folding.Unquoted(folding.Property(value, "method")))
}

// isStep reports whether an expression is a literal that may be a segment of a path: get("/items", {version: "v2"}).
func isStep(expr, text string) bool {
	_, literal := folding.Quoted(strings.TrimSpace(expr))
	return literal && len(text) <= maxStep && folding.IsStep(text)
}

const maxStep = 20 // largest number of bytes of a segment that is recorded without a slash

const unit = "\x1f"

// inFact removes the characters that separate the parts of a fact from a text, and replaces tabs by blanks.
var inFact = strings.NewReplacer("\t", " ", unit, "", listed, "")

var hostAndPort = regexp.MustCompile(`^[a-z][\w.-]*:\d{2,5}$`)

// speaking reports whether a folded argument may be part of an address: "/orders",
// "{base}/orders", "cart:8080".
func speaking(text string) bool {
	if strings.ContainsAny(strings.Map(folding.DropHoles(), text), " \n\"'`<>|\\^()") || len(text) > 300 {
		return false
	}
	switch {
	case text == "" || text == "/" || text == "{}":
		return false
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "http"), strings.HasPrefix(text, "{env:"),
		hostAndPort.MatchString(text):
		return true
	case strings.HasPrefix(text, "{"+folding.CallMark):
		return true
	case strings.HasPrefix(text, "{"):
		end := strings.IndexByte(text, '}')
		if end < 0 {
			return false // the brace is part of a literal, as in Accept("{%")
		}
		if _, path, ok := strings.Cut(text[end+1:], "://"); ok && strings.HasPrefix(text[end+1:], "://") {
			return strings.Contains(path, "}/")
		}
		if folding.OfAddresses(text) {
			return true
		}
		holder, _, entry := strings.Cut(text[1:end], "[") // for example, {self.URLS['orders']}{id}
		return strings.HasPrefix(text[end+1:], "/") || folding.MentionsAddress(strings.TrimSuffix(holder, "()")) &&
			(end == len(text)-1 || entry && text[end+1] == '{')
	}
	if rest, here := strings.CutPrefix(text, "./"); here { // ./api/orders of a page, but no module such as ./orders
		return strings.Contains(rest, "/") && !strings.HasPrefix(rest, ".")
	}
	return strings.Contains(text, "/") && !strings.Contains(text, "://") && !strings.HasPrefix(text, ".") &&
		!strings.HasPrefix(text, "@")
}
