// Package services reads what a file says of other services: the routes that it
// serves, the requests that it makes, the hosts that it names. Idioms are told
// apart by language in its tables; l2meta/endpoint joins both ends.
package services

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// maxEndpointText bounds what one endpoint keeps of the source.
const maxEndpointText = 4000

// Facts is what f says of other services.
func Facts(f *code.File) []code.Fact {
	if f.Language == "protobuf" {
		return protobufEndpoints(f)
	}
	out := append(hostEndpoints(f), httpEndpoints(f)...)
	for i := range f.Calls {
		c := &f.Calls[i]
		if !registersRPC(f.Language, c.Callee) {
			continue
		}
		text := f.Text[c.NameSpan.StartByte:min(c.Span.EndByte, c.NameSpan.StartByte+maxEndpointText)]
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: c.Caller, Name: l2meta.RoleServes, Type: syntax.OneLine(text), Span: c.NameSpan})
	}
	return out
}

// registersRPC reports whether a call of that name hands an implementation to a
// gRPC server.
func registersRPC(language, callee string) bool {
	switch language {
	case "go":
		return strings.HasPrefix(callee, "Register") && strings.HasSuffix(callee, "Server")
	case "python":
		return strings.HasPrefix(callee, "add_") && strings.HasSuffix(callee, "Servicer_to_server")
	case "javascript", "typescript":
		return callee == "addService"
	case "csharp":
		return callee == "MapGrpcService"
	}
	return false
}

var protobufNames = regexp.MustCompile(`(?m)^[ \t]*option\s+(?:go_package|java_package|csharp_namespace|php_namespace|ruby_package)\s*=\s*"([^"\n]+)"`)

// protobufEndpoints is one fact a name that other languages know the package by,
// and one at least where there is an rpc.
func protobufEndpoints(f *code.File) (out []code.Fact) {
	for i := range f.Symbols {
		if f.Symbols[i].Kind != code.KindRPC {
			continue
		}
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleRPC, Span: f.Symbols[i].NameSpan})
		for _, at := range protobufNames.FindAllSubmatchIndex(f.Text, -1) {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleRPC, Type: string(f.Text[at[2]:at[3]]), Span: f.Symbols[i].NameSpan})
		}
		return out
	}
	return nil
}
