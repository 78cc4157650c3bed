// Package services extracts from a file how its program communicates with other services: the
// routes that it serves, the requests that it makes, the messages that it exchanges, the hosts
// that it names. The package of each language holds the rules for its libraries; l2meta/endpoint
// joins the requests of one file with the routes of another.
//
// To fold an expression is to compute its text from its own file, with a hole in braces, {base},
// for a part that is not known there; see package folding.
//
// An idiom is a rule for a library (Idioms). An entry is a call, an annotation or an item of a
// list that may register a route, but matches no idiom (entries.go). An end of a message is a
// call or declaration that publishes or consumes it, or a binding of a queue (End). A carrier is
// a value that publishes or consumes messages of the topic with which it was constructed
// (Carrier). A pass is a call whose callee may use the arguments for a request or a message
// (passes.go). A twin of a fact is an equal fact at the same position.
package services

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
	"sextant/l2meta/syntax"
)

// Facts returns the endpoint facts of f, the statements about its routes, requests, messages and hosts that the index
// stores. l holds the idioms of the language of f, nil if there are none. Facts appends symbols to f for anonymous
// functions that handle routes.
func Facts(f *code.File, l *Idioms) []code.Fact {
	if f.Language == "protobuf" {
		return protobufEndpoints(f)
	}
	out := append(hostEndpoints(f), stubEndpoints(f)...)
	out = append(out, daprRuns(f)...)
	out = append(out, snsSubscriptions(f)...)
	out = append(out, eventRules(f)...)
	if f.Language == "yaml" {
		out = append(out, declaredSubscriptions(f)...)
		out = append(out, inputBindings(f)...)
	}
	out = append(out, operations(f)...)
	out = append(out, builtRequests(f)...)
	if l == nil {
		return out
	}
	out = append(out, httpEndpoints(f, l)...)
	for i := range f.Calls {
		c := &f.Calls[i]
		if l.Registers == nil || !l.Registers(c.Callee) {
			continue
		}
		text := f.Text[c.NameSpan.StartByte:min(c.Span.EndByte, c.NameSpan.StartByte+folding.MaxEndpointText)]
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: c.Caller, Name: l2meta.RoleServes,
			Type: syntax.OneLine(text), Span: c.NameSpan})
	}
	return out
}

var protobufNames = regexp.MustCompile(
	`(?m)^[ \t]*option\s+(?:go_package|java_package|csharp_namespace|php_namespace|ruby_package)\s*=\s*"([^"\n]+)"`)

var httpRules = regexp.MustCompile(`\b(get|put|post|delete|patch)\s*[:=]\s*"(/[^"\n]*)"`)

var boundVariable = regexp.MustCompile(`\{([\w.]+)=([^{}]*)\}`)

// boundPath returns a path template of google.api.http with the patterns of its variables inserted:
// /v1/orders/{name} for /v1/{name=orders/*}.
func boundPath(template string) string {
	return boundVariable.ReplaceAllStringFunc(template, func(v string) string {
		m := boundVariable.FindStringSubmatch(v)
		pattern := strings.ReplaceAll(m[2], "**", "{"+m[1]+"...}")
		return strings.ReplaceAll(pattern, "*", "{"+m[1]+"}")
	})
}

// protobufEndpoints returns facts about a .proto file that declares an rpc: its HTTP routes, and the names that its
// package has in other languages, as option go_package gives one. It returns nil for a file without an rpc.
func protobufEndpoints(f *code.File) (out []code.Fact) {
	for i := range f.Symbols {
		if f.Symbols[i].Kind == code.KindRPC {
			out = append(out, transcoded(f, i)...)
		}
	}
	for i := range f.Symbols {
		if f.Symbols[i].Kind != code.KindRPC {
			continue
		}
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleRPC,
			Span: f.Symbols[i].NameSpan})
		for _, at := range protobufNames.FindAllSubmatchIndex(f.Text, -1) {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleRPC,
				Type: string(f.Text[at[2]:at[3]]), Span: f.Symbols[i].NameSpan})
		}
		return out
	}
	return nil
}

var (
	fullMethod  = regexp.MustCompile(`["']/((?:[A-Za-z_]\w*\.)*[A-Z]\w*)/([A-Z]\w*)["']`)
	serviceName = regexp.MustCompile(`SERVICE_NAME\s*=\s*"([\w.]+)"|__ServiceName\s*=\s*"([\w.]+)"`)
	methodName  = regexp.MustCompile(`SERVICE_NAME\s*\+\s*'/'\s*\+\s*"(\w+)"|__ServiceName,\s*"(\w+)"`)
)

// maxStub is the number of bytes at the start of a file among which generated code must say that
// it is generated.
const maxStub = 1000

// stubEndpoints returns the gRPC methods whose full names, "/shop.Cart/GetItem", occur in generated code.
func stubEndpoints(f *code.File) (out []code.Fact) {
	head := bytes.ToLower(f.Text[:min(len(f.Text), maxStub)])
	if !bytes.Contains(head, []byte("generated")) ||
		!bytes.Contains(f.Text, []byte("grpc")) && !bytes.Contains(f.Text, []byte("Grpc")) {
		return nil
	}
	seen := map[string]bool{}
	keep := func(service, method string, at int) {
		if full := "/" + service + "/" + method; !seen[full] && len(seen) < maxHosts {
			seen[full] = true
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleRPC, Type: full,
				Span: source.SpanOfLine(f.Text, at)})
		}
	}
	for _, m := range fullMethod.FindAllSubmatchIndex(f.Text, -1) {
		keep(string(f.Text[m[2]:m[3]]), string(f.Text[m[4]:m[5]]), m[0])
	}
	if !bytes.Contains(f.Text, []byte("SERVICE_NAME")) && !bytes.Contains(f.Text, []byte("__ServiceName")) {
		return out
	}
	if of := serviceName.FindSubmatch(f.Text); of != nil {
		for _, m := range methodName.FindAllSubmatchIndex(f.Text, -1) {
			keep(string(of[1])+string(of[2]), string(f.Text[max(m[2], m[4]):max(m[3], m[5])]), m[0])
		}
	}
	return out
}

// transcoded returns the HTTP routes that option (google.api.http) gives to an rpc.
func transcoded(f *code.File, rpc int) (out []code.Fact) {
	s := &f.Symbols[rpc]
	body := f.Text[s.Span.StartByte:s.Span.EndByte]
	if !bytes.Contains(body, []byte("google.api.http")) {
		return nil
	}
	for _, m := range httpRules.FindAllSubmatchIndex(body, -1) {
		text := strings.ToUpper(string(body[m[2]:m[3]])) + "\t" + boundPath(string(body[m[4]:m[5]]))
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: rpc, Name: l2meta.RoleRoute, Type: text,
			Span: source.SpanOfLine(f.Text, s.Span.StartByte+m[0])})
	}
	return out
}
