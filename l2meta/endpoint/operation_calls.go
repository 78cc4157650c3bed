package endpoint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// These constants are the confidences of calls of clients that are generated from an OpenAPI
// document. The higher one applies if the client is named after the tag or the service of the
// operation, or has a type that only generators use; the lower one if only the name of the
// operation matches.
const (
	confidenceOperation = hosts.ConfidenceLikely
	confidenceOfName    = confidenceSeveral
)

// maxCallers is the largest number of files that call a function with the name of an operation.
// If more files do, the name is too common to show a request.
const maxCallers = 300

type operationCallsKey struct{}

// operationCalls returns a map from the id of a file to its requests through clients that are
// generated from OpenAPI documents.
func operationCalls(ws *lookup.Workspace) map[int64][]fetch {
	return resolve.Derive(ws.World, operationCallsKey{}, func() map[int64][]fetch {
		out := map[int64][]fetch{}
		byName := operationNames(ws)
		for _, name := range ws.World.CalledAmong(slices.Sorted(maps.Keys(byName))) {
			ids := ws.World.Calling(name)
			if len(ids) > maxCallers {
				continue
			}
			for _, id := range ids {
				f := ws.World.ByID(id)
				if f == nil || f.Class != code.ClassSource || ws.World.Language(f.Language).Operations.Case == resolve.CaseNone {
					continue
				}
				for _, i := range f.CallsOf(name) {
					out[id] = append(out[id], operationCall(ws, f, i, byName[name])...)
				}
			}
		}
		return out
	})
}

// operationNames returns a map from the names of the client methods, in the languages of the
// workspace, to the operations that they request. A name such as sync, a function that the module
// of each operation has, leads to all operations.
func operationNames(ws *lookup.Workspace) map[string][]*operation {
	out := map[string][]*operation{}
	enter := func(name string, o *operation) {
		if list := out[name]; len(list) == 0 || list[len(list)-1] != o {
			out[name] = append(list, o)
		}
	}
	operations := operations(ws)
	if len(operations) == 0 {
		return nil
	}
	languages := ws.World.LanguagesPresent()
	for _, o := range operations {
		for _, language := range languages {
			names := ws.World.Language(language).Operations
			for _, affix := range names.Affixes {
				enter(names.Method(affix, func(c resolve.Case) string { return methodName(o.id, c) }), o)
			}
			for _, run := range names.Runs {
				enter(run, o)
			}
		}
	}
	return out
}

// operationCall returns a request for each operation in list that call i of f may request, judged by its name and
// receiver. It returns nil if the call resolves to a function of the workspace.
func operationCall(ws *lookup.Workspace, f *resolve.File, i int, list []*operation) (out []fetch) {
	c, best := &f.Calls()[i], 0.0
	for _, o := range list {
		how, sure := operationClient(ws, f, c, o)
		if sure < best || sure == 0 {
			continue
		}
		if sure > best {
			out, best = nil, sure
		}
		path := "/" + strings.Join(o.whole(), "/")
		out = append(out, fetch{file: f, owner: c.Caller, at: c.NameSpan, method: o.method, text: path,
			url: hosts.TargetOf(path), operation: o, sure: sure, how: []string{how}})
	}
	if len(out) == 0 {
		return nil
	}
	for i := range out {
		if len(out) > 1 { // the operations are in several documents, of which at most one is right
			out[i].sure = min(out[i].sure, confidenceSeveral)
		}
	}
	s, ok, err := ws.Resolver.At(f.Reference(i))
	if err != nil || !ok || s.Outcome == resolve.Settled {
		return nil // the call runs a function of the program, or a committed client, whose own request is recorded
	}
	return out
}

// operationClient returns the evidence that the call c requests the operation o through a method of a generated
// client, and the confidence. The confidence is 0 if there is no evidence.
func operationClient(ws *lookup.Workspace, f *resolve.File, c *code.Call, o *operation) (how string, sure float64) {
	names := ws.World.Language(f.Language).Operations
	method := c.Callee
	if c.Kind != code.CallPlain {
		return "", 0
	}
	if slices.Contains(names.Runs, c.Callee) {
		if c.Receiver != methodName(o.id, names.Case) || !fromClient(f, c.Receiver) {
			return "", 0
		}
		return c.Receiver + " is imported from a generated client", confidenceOperation
	}
	affix := slices.IndexFunc(names.Affixes, func(a string) bool {
		return method == names.Method(a, func(c resolve.Case) string { return methodName(o.id, c) })
	})
	switch {
	case affix < 0:
		return "", 0
	case c.Receiver == "":
		if !o.isDistinctive() || !fromClient(f, method) {
			return "", 0
		}
		return method + " is imported from a generated client", confidenceOperation
	}
	return clientOfReceiver(ws, f, c, o)
}

// clientOfReceiver returns the evidence that the receiver of a call is a client with the operation o, and the
// confidence. The confidence is 0 if there is no evidence.
func clientOfReceiver(ws *lookup.Workspace, f *resolve.File, c *code.Call, o *operation) (how string, sure float64) {
	if strings.Contains(c.Receiver, ".apis.") && isTagged(lookup.LastName(c.Receiver), o) {
		return c.Receiver + " is a client by the document", confidenceOperation
	}
	for _, name := range receiverNames(ws, f, c) {
		switch {
		case !clientName.MatchString(name):
		case isHandWritten(ws, f, name):
			return "", 0
		case isTagged(name, o) || isNamedAfter(ws, name, o), generatedClient.MatchString(name) && o.isDistinctive():
			how, sure = name+" is a client of "+o.id, confidenceOperation
		case o.isDistinctive() && sure == 0:
			how, sure = name+" may be a client of "+o.id, confidenceOfName
		}
	}
	return how, sure
}

// maxReceiverNames is the largest number of names that receiverNames collects for one call.
const maxReceiverNames = 20

// receiverNames returns the names in the receiver of a call, and in the values and types of the variable that it
// names.
func receiverNames(ws *lookup.Workspace, f *resolve.File, c *code.Call) (out []string) {
	var follow func(text string, owner, depth int)
	follow = func(text string, owner, depth int) {
		for _, w := range lookup.Words(text) {
			if len(out) == maxReceiverNames {
				return
			}
			if name := w.Text; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		name := lookup.LastName(text)
		if depth == lookup.MaxSteps || name == "" {
			return
		}
		for _, fact := range lookup.Values(f, owner, name) {
			if fact.Type != text {
				follow(fact.Type, fact.Owner, depth+1)
			}
		}
	}
	follow(c.Receiver, c.Caller, 0)
	return out
}

var (
	// clientName matches the names of clients and their types.
	clientName = regexp.MustCompile(`(?i)(?:api|client|service|sdk|clientwithresponses|clientwithresponsesinterface|` +
		`clientinterface)$`)
	// generatedClient matches the names of types and constructors that only generated clients have.
	generatedClient = regexp.MustCompile(`^(?:New)?(?:ClientWithResponses(?:Interface)?|DefaultApi|DefaultAPI|` +
		`API_?Client|OpenAPIClientAxios)$`)
	// clientModule matches the modules of generated clients.
	clientModule = regexp.MustCompile(
		`(?i)(?:^|[/._@-])(?:generated|gen|api|apis|client|clients|sdk|openapi)(?:$|[/._-])|(?:client|api|sdk)$`)
)

// fromClient reports whether a file imports a name from a module whose path suggests a generated client.
func fromClient(f *resolve.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(m code.Import) bool {
		return (m.Name == name || m.Alias == name) && clientModule.MatchString(m.Module)
	})
}

// isTagged reports whether a client is named after an operation's tag: OrdersApi, IOrdersClient, orders_api.
func isTagged(name string, o *operation) bool {
	of := lookup.Folded(clientOfOperation(name))
	tag := clientOfService(lookup.Folded(o.tag)) // the tag may be "Orders API"
	return tag != "" && len(of) > 1 && (of == tag || of+"s" == tag || of == tag+"s")
}

// isNamedAfter reports whether a client is named after the service of an operation's document.
func isNamedAfter(ws *lookup.Workspace, name string, o *operation) bool {
	of := lookup.Folded(clientOfOperation(name))
	return len(of) > 2 && slices.ContainsFunc(o.in, func(f *resolve.File) bool {
		root := ws.Services().Root(f.Path)
		return slices.ContainsFunc(ws.Services().All, func(s lookup.Service) bool {
			return s.Root == root && root != "" && slices.ContainsFunc(s.Spellings(), func(n string) bool {
				n = lookup.Folded(clientOfService(n))
				return n == of || n == of+"s" || n+"s" == of
			})
		})
	})
}

// clientOfOperation returns the name of a generated client or of its constructor without words such as New and
// Client: Orders for NewOrdersClient.
func clientOfOperation(name string) string {
	name = strings.TrimPrefix(name, "New")
	if len(name) > 2 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z' {
		name = name[1:]
	}
	return clientOfService(strings.TrimLeft(name, "_"))
}

// isHandWritten reports whether the service of f declares a type of that name in source that is not generated.
func isHandWritten(ws *lookup.Workspace, f *resolve.File, name string) bool {
	return slices.ContainsFunc(ws.TypesNamed(name, f.Language), func(t resolve.Ref) bool {
		return t.File.Class == code.ClassSource && ws.Services().Root(t.File.Path) == ws.Services().Root(f.Path)
	})
}

// operated returns the edges of a request through a client that is generated from a document. They lead to the
// handlers of the operation in other services, or to routes there with the path that the document gives.
func (hj *httpJoiner) operated(x *fetch) (out []Crossing) {
	own := hj.Services().Root(x.file.Path)
	list := hj.serving(x.operation)
	if slices.ContainsFunc(list, func(r *route) bool { return r.of(hj.Workspace, []string{own}) }) {
		return nil // the client belongs to the service that serves the operation
	}
	list = hj.byHandler(list)
	base := Crossing{Kind: code.EdgeHTTP, File: x.file, Call: callAt(*x), Caller: x.caller(),
		Strategy: StrategyOperation, Via: x.operation.method + " /" + strings.Join(x.operation.whole(), "/")}
	for _, f := range x.operation.in {
		base.Rests = append(base.Rests, f.Path)
	}
	if len(list) == 0 && x.sure > confidenceSeveral {
		base.Why = fmt.Sprintf("%s; nothing in the workspace serves the operation %s", x.how[0], x.operation.id)
		return []Crossing{base}
	}
	for _, r := range list {
		c := base
		c.Handler, c.At = hj.handler(r)
		c.Via, c.Confidence = r.via(), min(x.sure, confidence(len(list)))
		c.Rests = append(slices.Clip(base.Rests), append(slices.Clip(r.rests), r.file.Path)...)
		c.Provenance = fmt.Sprintf("%s; operation of %s", x.how[0], x.operation.in[0].Path)
		out = append(out, c)
	}
	return out
}

// serving returns, for an operation, the routes of its handlers; if there are none, the routes with
// its method and path in the services of its documents, or else in any service.
func (hj *httpJoiner) serving(o *operation) (out []*route) {
	var within, anywhere []*route
	for _, r := range hj.routes() {
		switch {
		case r.operation == o:
			out = append(out, r)
		case r.operation != nil || r.method != o.method && r.method != "*" || !o.meets(r):
		case slices.ContainsFunc(o.in, func(f *resolve.File) bool { return r.of(hj.Workspace, rootOf(hj.Workspace, f)) }):
			within = append(within, r)
		default:
			anywhere = append(anywhere, r)
		}
	}
	switch {
	case len(out) > 0:
		return out
	case len(within) > 0:
		return within
	}
	return anywhere
}

// meets reports whether a route has the path of an operation, below the document's base or not.
func (o *operation) meets(r *route) bool {
	for _, path := range [][]string{o.whole(), o.path} {
		if _, ok := hosts.Meets(path, r.path, false); ok &&
			hosts.Literals(r.path) == hosts.Literals(path) && len(r.path) == len(path) {
			return true
		}
	}
	return false
}
