package services

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

// The sidecar of Dapr forwards requests and messages. A header of a request names the application that receives it. A
// message that is posted to /v1.0/publish/COMPONENT/TOPIC goes to the subscribers: the sidecar posts it to the routes
// that their subscriptions name. Subscriptions are declared in manifests, or returned by the application at
// /dapr/subscribe.

// Posted begins the handler of messages that a sidecar posts to a route. "posted /orders billing,mail" names the
// route and the services that have it. Without names, the route belongs to the service of the file.
const Posted = "posted"

var (
	appHeader = regexp.MustCompile(`["']dapr-app-id["']\]?\s*[:,=]\s*`)
	// headerWord matches the header in one string, as for curl: -H 'dapr-app-id: orders'.
	headerWord = regexp.MustCompile(`["']dapr-app-id:[ \t]*([\w.-]+)["']`)
	subscribed = regexp.MustCompile(
		`(?i)\b(pubsubname|topic|route|default|path)["']?\s*(?:=>|[:=])\s*("[^"\s]+"|'[^'\s]+'|[A-Za-z_][\w.]*)`)
	declared = regexp.MustCompile(`(?m)^[ \t-]*(pubsubname|topic|route|default|path):[ \t]*["']?([^"'\s#]+)`)
	scopes   = regexp.MustCompile(`(?m)^scopes:[ \t]*\r?\n((?:[ \t]*-[ \t][^\n]*\n?)+)`)
)

// routeKeys lists the keys of a subscription that name a route.
var routeKeys = map[string]bool{"route": true, "default": true, "path": true}

// maxSubscriptions is the largest number of subscriptions read from one file.
const maxSubscriptions = 200

// declaredSubscriptions returns the subscriptions that a manifest declares.
func declaredSubscriptions(f *code.File) (out []code.Fact) {
	if !bytes.Contains(f.Text, []byte("dapr.io/")) || !bytes.Contains(f.Text, []byte("Subscription")) {
		return nil
	}
	at := 0
	for _, document := range strings.SplitAfter(string(f.Text), "\n---") {
		from := at
		at += len(document)
		if !strings.Contains(document, "dapr.io/") || !strings.Contains(document, "kind: Subscription") ||
			len(out) > maxSubscriptions {
			continue
		}
		out = append(out, subscriptions(f, declared.FindAllStringSubmatchIndex(document, -1), document, from,
			scopesOf(document), func(value string, _ int) string { return value })...)
	}
	return out
}

// scopesOf returns the applications that a manifest applies to, separated by commas; "" means
// all.
func scopesOf(document string) string {
	var apps []string
	if m := scopes.FindStringSubmatch(document); m != nil {
		for line := range strings.Lines(m[1]) {
			apps = append(apps, strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "-"), " \"'\r\n"))
		}
	}
	return strings.Join(apps, ",")
}

var pubsubName = regexp.MustCompile(`(?i)\bpubsubname\b["']?\s*(?:=>|[:=])`)

// answeredSubscriptions records the subscriptions that a program returns at /dapr/subscribe: {pubsubname: 'shop',
// topic: 'orders', route: '/orders'}, or the same as arguments of a call. Another file may have the route that returns
// them.
func (r *Reader) answeredSubscriptions() {
	if !r.Mentions("ubsub") && !r.Mentions("ubSub") {
		return
	}
	behind, kept := 0, 0
	for _, m := range r.Matches(pubsubName, 0, len(r.Text)) {
		if m[0] < behind || kept > maxSubscriptions { // the match is within the previous subscription
			continue
		}
		open := openedBefore(r.Text, behind, m[0])
		if open < 0 {
			continue
		}
		behind = min(folding.Closing(r.Text, open), open+folding.MaxEndpointText)
		object := r.Text[open:behind]
		keys := subscribed.FindAllStringSubmatchIndex(object, -1)
		for _, f := range subscriptions(r.File, keys, object, open, "", r.listedValue) {
			r.Add(f)
			kept++
		}
	}
}

// listedValue evaluates the expression at a byte offset to the name of a topic or a route. start is
// its beginning, which may be only the first operand: `"/"` of `"/" + topicRoute`.
func (r *Reader) listedValue(start string, at int) string {
	if whole := r.Expression(at); strings.HasPrefix(whole, start) {
		start = whole
	}
	return r.Topic(start, at)
}

// openedBefore returns the offset of the last bracket in text[from:to] that is not closed before to, -1 for none.
func openedBefore(text string, from, to int) int {
	open := to
	for range maxOpened {
		if open = from + strings.LastIndexAny(text[from:open], "{("); open < from {
			return -1
		}
		if folding.Closing(text[:to], open) == to && text[to-1] != ')' && text[to-1] != '}' {
			return open
		}
	}
	return -1
}

// maxOpened is the largest number of brackets that openedBefore looks at, from the last one on.
const maxOpened = 8

// subscriptions returns a fact of a message consumer for each route of one subscription. text is
// the source of the subscription, from its offset in f; keys are the matches of keys such as topic
// and route in text; apps are the subscribed applications, as scopesOf returns them. fold evaluates
// the value of a key.
func subscriptions(f *code.File, keys [][]int, text string, from int, apps string,
	fold func(value string, at int) string) (out []code.Fact) {
	if !slices.ContainsFunc(keys, func(m []int) bool { return routeKeys[strings.ToLower(text[m[2]:m[3]])] }) {
		return nil // the subscription has no route: a call subscribes, and names the handler
	}
	component, topic := "", ""
	var routes []string
	for _, m := range keys {
		switch value := fold(text[m[4]:m[5]], from+m[4]); strings.ToLower(text[m[2]:m[3]]) {
		case "pubsubname":
			component = value
		case "topic":
			topic = value
		default:
			routes = append(routes, "/"+strings.TrimLeft(value, "/"))
		}
	}
	for _, route := range routes {
		if topic == "" || strings.ContainsAny(route, "$ \t") {
			continue
		}
		end := strings.Join([]string{"dapr", topic, "", component,
			strings.TrimSpace(Posted + " " + route + " " + apps)}, "\t")
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleConsume, Type: end,
			Span: source.SpanOfLine(f.Text, from+keys[0][0])})
	}
	return out
}

// throughSidecar returns a URL with a Dapr application as its host, http://orders/items, for a request to /items of
// the sidecar whose header dapr-app-id names the application. It returns url for any other request. It looks for the
// header in the call, then in the function around it, then for a single one in the file.
func (r *Reader) throughSidecar(c *code.Call, url string) string {
	if !r.Mentions("dapr-app-id") {
		return url
	}
	from, to := c.Span.StartByte, c.Span.EndByte
	found := appHeader.FindAllStringIndex(r.Text[from:to], 2)
	if len(found) == 0 && c.Caller >= 0 {
		from, to = r.File.Symbols[c.Caller].Span.StartByte, r.File.Symbols[c.Caller].Span.EndByte
		found = appHeader.FindAllStringIndex(r.Text[from:to], 2)
	}
	if len(found) == 0 {
		from = 0
		found = appHeader.FindAllStringIndex(r.Text, 2)
	}
	app := ""
	if m := headerWord.FindStringSubmatch(r.Text[c.Span.StartByte:c.Span.EndByte]); m != nil {
		app = m[1]
	} else if len(found) == 1 {
		app = r.Fold(r.Folder.Expression(from+found[0][1]), from+found[0][0])
	}
	if app == "" || strings.ContainsAny(app, " \"'/") {
		return url
	}
	path := url
	if _, rest, ok := strings.Cut(url, "://"); ok {
		path = rest
	}
	if i := folding.PathStart(path); i >= 0 {
		path = path[i:]
	} else {
		path = "/"
	}
	return "http://" + app + path
}

// published records the message that a request sends to a sidecar: to be published, at /v1.0/publish/COMPONENT/TOPIC,
// or to pass through an output binding, at /v1.0/bindings/NAME. It returns false for any other URL.
func (r *Reader) published(owner int, at code.Span, url string) bool {
	var end End
	_, binding, isBinding := strings.Cut(url, "/v1.0/bindings/")
	_, rest, isTopic := strings.Cut(url, "/v1.0/publish/")
	part := strings.Split(strings.TrimPrefix(rest, "bulk/"), "/")
	switch {
	case isBinding && binding != "" && !strings.Contains(binding, "/"):
		end = End{Broker: Binding, Key: binding}
	case isTopic && len(part) > 1 && part[0] != "" && part[1] != "":
		end = End{Broker: "dapr", Key: strings.Join(part[1:], "/"), Scope: part[0]}
	default:
		return false
	}
	before := len(r.out)
	r.KeepMessage(Publishes, owner, at, end)
	if last := r.out[before]; slices.ContainsFunc(r.out[:before], func(f code.Fact) bool {
		return f.Name == last.Name && f.Type == last.Type && f.Owner == owner &&
			max(f.Span.StartLine-at.StartLine, at.StartLine-f.Span.StartLine) <= linesOfRequest
	}) {
		r.out = r.out[:before] // the object that describes the request is recorded together with the call
	}
	return true
}

// linesOfRequest is the largest number of lines between a call and the object that describes its
// request.
const linesOfRequest = 4
