package php

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var (
	// dynamicCall matches a call of the method whose name a variable holds: ->{$method}($url).
	dynamicCall = regexp.MustCompile(`->\s*\{?\$\w+\}?\s*\(`)
	// onClient matches receivers that are HTTP clients.
	onClient = regexp.MustCompile(`\bHttp::|(?i:\$(?:this->)?(?:http|guzzle)?(?:client|http)\b)`)
)

// maxReceiver bounds the length in bytes of the text before a dynamic call that is searched for
// the call's receiver.
const maxReceiver = 600

// readDynamic records the requests of clients for which a variable holds the HTTP method:
// Http::timeout(5)->{$method}($url, $data). The callers of the enclosing function pass the method.
func readDynamic(r *services.Reader) {
	if !r.Mentions("Http::") && !r.Mentions("lient") {
		return
	}
	for _, m := range r.Matches(dynamicCall, 0, len(r.Text)) {
		before := r.Text[max(0, m[0]-maxReceiver):m[0]]
		if before = before[strings.LastIndexByte(before, ';')+1:]; !onClient.MatchString(before) {
			continue
		}
		args := folding.ListItems(r.Text[m[1]:])
		if len(args) == 0 {
			continue
		}
		at := r.SpanAt(m[0])
		at.StartByte, at.EndByte = m[0], m[1]-1
		r.Requested(&code.Call{Kind: code.CallPlain, Callee: "request", Caller: r.Around(m[0]), NameSpan: at, Span: at},
			services.Request{URL: args[0], Sure: true})
	}
}
