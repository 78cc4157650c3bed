package services

import (
	"regexp"
	"strings"

	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/syntax"
)

// eachList records the entries of lists and objects, at most most.
func (er *entryReader) eachList(most int) {
	for at := 1; most > 0; at++ {
		i := strings.IndexByte(er.Text[min(at, len(er.Text)):], '/')
		if i < 0 {
			return
		}
		at += i
		quote := er.Text[at-1]
		if quote == ' ' && er.keyed(at) {
			most--
			continue
		}
		if quote != '"' && quote != '\'' && quote != '`' {
			continue
		}
		end := strings.IndexByte(er.Text[at:min(at+maxTemplate, len(er.Text))], quote)
		if end > 1 && er.listed(at-1, er.Text[at:at+end]) {
			most--
		}
	}
}

// listed records the entry of an item in a list or an object that has a path at an offset: { method: "GET", path:
// "/orders", handler: list }, ("/orders", Orders), Route{"GET", "/orders", list}.
func (er *entryReader) listed(at int, path string) (kept bool) {
	if er.Folder.Fuel <= 0 || !isEntryPath(path, false) {
		return false
	}
	er.Folder.Fuel -= maxItem
	open := er.openBefore(at)
	if open < 0 || er.Text[open] == '(' && open > 0 && (folding.IsName(er.Text[open-1]) || er.Text[open-1] == '!') {
		return false
	}
	items := folding.ListItems(er.Text[open+1 : min(open+maxItem, len(er.Text))])
	if len(items) < 2 || len(items) > maxEntryArgs {
		return false
	}
	method, handler, keyed := "", "", itemKey.MatchString(items[0])
	for i, item := range items {
		key, value := "", item
		if m := itemKey.FindStringSubmatch(item); m != nil {
			key, value = m[1], item[len(m[0]):]
		}
		line := syntax.OneLine([]byte(value[:min(len(value), maxTemplate)]))
		switch quoted, is := folding.Quoted(strings.TrimSpace(value)); {
		case ofPage.MatchString(key):
			return false
		case is && folding.MethodOf(quoted) != "" || !is && folding.MethodOf(line) != "" && len(line) < maxMethod:
			method = folding.MethodOf(line)
		case keyed && !ofHandler.MatchString(key):
		case !keyed && (key != "" || i == 0):
		case folding.IsFunction(value):
			handler = "=>"
		case handlerName.MatchString(wrapped(line)):
			if name := strings.TrimPrefix(wrapped(line), "&"); handler == "" || !er.imported(name) || er.imported(handler) {
				handler = name
			}
		}
	}
	if handler == "" {
		return false
	}
	er.Keep(l2meta.RoleEntry, er.Around(at), er.SpanAt(at), method, path, handler+"\t")
	return true
}

// imported reports whether a name is a member of a module that the file imports, such as a constant behind the handler:
// api.Public in {"/orders", "GET", h.list, api.Public}.
func (er *entryReader) imported(name string) bool {
	root, _, member := strings.Cut(name, ".")
	return member && er.Imported(root) != ""
}

// keyed records the entry of an item whose key is a method and a path: "GET /orders": list, 'GET
// /orders' => 'OrderController.list'. at is the offset of the path. It returns false if there is no
// such item.
func (er *entryReader) keyed(at int) bool {
	from := max(0, at-maxMethod)
	head := methodKey.FindStringSubmatch(er.Text[from:at])
	if head == nil || folding.MethodOf(head[2]) == "" || er.Folder.Fuel <= 0 {
		return false
	}
	er.Folder.Fuel -= maxItem
	rest := er.Text[at:min(at+maxItem, len(er.Text))]
	end := strings.Index(rest, head[1])
	if end < 0 || !isEntryPath(rest[:end], false) {
		return false
	}
	value := keyedValue.FindString(rest[end+1:])
	items := folding.ListItems(rest[end+1+len(value):])
	if value == "" || len(items) == 0 {
		return false
	}
	handler := handlerOf(wrapped(items[0]))
	if text, ok := folding.Quoted(items[0]); ok && actionName.MatchString(text) {
		handler = text
	}
	if handler == "" {
		return false
	}
	er.Keep(l2meta.RoleEntry, er.Around(at), er.SpanAt(at), folding.MethodOf(head[2]), rest[:end], handler+"\t")
	return true
}

var (
	// methodKey matches the start of a key up to its path: "GET of "GET /orders".
	methodKey = regexp.MustCompile(`(["'` + "`" + `])([A-Z]{3,7}) +$`)
	// keyedValue matches the separator between a key and its value.
	keyedValue = regexp.MustCompile(`^\s*(?::|=>)\s*`)
	// actionName matches the names of a controller and its action: OrderController.list.
	actionName = regexp.MustCompile(`^[A-Z]\w*\.\w+$`)
)

// maxItem is the largest length in bytes of the source text of an item that may be an entry.
const maxItem = 600

var (
	itemKey = regexp.MustCompile(`^["']?(\w+)["']?\s*(?::|=>|=)\s*`)
	// ofPage matches keys of the routes of a page, which a browser shows without a request.
	ofPage = regexp.MustCompile(`(?i)^(?:component|element|redirect(?:To)?|children|loadChildren|loadComponent|` +
		`lazy|icon|label|title|href|name)$`)
	// ofHandler matches keys of handlers.
	ofHandler = regexp.MustCompile(`(?i)handle|action|controller|callback|func|fn|run|view|endpoint|operation|^to$|` +
		`method`)
)

// openBefore returns the offset of the bracket around an offset, or -1 if none is near.
func (er *entryReader) openBefore(at int) int {
	depth := 0
	for i := at - 1; i >= max(0, at-maxItem/2); i-- {
		switch er.Text[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth < 0 {
				return i
			}
		case ';':
			return -1
		}
	}
	return -1
}
