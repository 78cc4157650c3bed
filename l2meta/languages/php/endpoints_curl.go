package php

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// byFunction reads requests that PHP functions make: those of cURL and of streams. It returns false
// for other calls.
func byFunction(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	at := c.NameSpan.StartByte
	url := ""
	switch {
	case c.Callee == "curl_init" && len(args) > 0:
		url = args[0]
	case c.Callee == "curl_setopt" && len(args) > 2 && args[1] == "CURLOPT_URL":
		url = args[2]
	case c.Callee == "curl_setopt_array" && len(args) > 1:
		url = entry(arrayOf(r, args[1], at), "CURLOPT_URL")
	case (c.Callee == "file_get_contents" || c.Callee == "fopen") && len(args) > 0:
		return byStream(r, c, args)
	}
	if url == "" || url == "null" {
		return x, false
	}
	return services.Request{Method: curlMethod(r, c, args), URL: url, Sure: true}, true
}

// arrayOf returns an argument, or the value of the variable that it names, which may be an array literal.
func arrayOf(r *services.Reader, arg string, at int) string {
	if strings.HasPrefix(arg, "$") {
		arg, _ = r.Lookup(arg, at)
	}
	return arg
}

var (
	customMethod = regexp.MustCompile(`CURLOPT_CUSTOMREQUEST\s*(?:,|=>)\s*["'](\w+)["']`)
	anyMethod    = regexp.MustCompile(`CURLOPT_CUSTOMREQUEST\b`)
	postMethod   = regexp.MustCompile(`CURLOPT_POST\s*(?:,|=>)\s*(?:true|TRUE|1)|CURLOPT_POSTFIELDS\b`)
	putMethod    = regexp.MustCompile(`CURLOPT_(?:PUT|UPLOAD)\s*(?:,|=>)\s*(?:true|TRUE|1)`)
)

// curlMethod returns the HTTP method that the cURL options around a call set: GET if they set none, "" if a variable
// holds it.
func curlMethod(r *services.Reader, c *code.Call, args []string) string {
	from, to := 0, len(r.Text)
	if own := r.Around(c.NameSpan.StartByte); own >= 0 {
		from, to = r.File.Symbols[own].Span.StartByte, r.File.Symbols[own].Span.EndByte
	}
	if i := strings.LastIndex(r.Text[from:c.NameSpan.EndByte], "curl_init"); i >= 0 {
		from += i
	}
	if i := strings.Index(r.Text[c.NameSpan.EndByte:to], "curl_init"); i >= 0 {
		to = c.NameSpan.EndByte + i
	}
	text := r.Text[from:to]
	switch m := customMethod.FindStringSubmatch(text); {
	case m != nil:
		return folding.MethodOf(m[1])
	case anyMethod.MatchString(text):
		return ""
	case postMethod.MatchString(text):
		return "POST"
	case putMethod.MatchString(text):
		return "PUT"
	}
	return "GET"
}

var streamMethod = regexp.MustCompile(`['"]method['"]\s*=>\s*([^,\])\n]+)`)

// byStream reads file_get_contents($url, false, $context). An argument that is not a URL names a file; such a call is
// no request.
func byStream(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	at := c.NameSpan.StartByte
	url := r.Fold(args[0], at)
	passed := strings.HasPrefix(url, "{#") && strings.Contains(strings.ToLower(url), "ur")
	if !strings.HasPrefix(url, "http") && !strings.HasPrefix(url, "{env:") && !passed {
		return x, false
	}
	x = services.Request{Method: "GET", URL: args[0], Sure: true}
	for _, a := range args[1:] {
		if context, _ := r.Lookup(a, at); strings.Contains(context, "stream_context_create") {
			if inner := folding.ListItems(context[strings.IndexByte(context, '(')+1:]); len(inner) > 0 {
				context += arrayOf(r, inner[0], at)
			}
			if m := streamMethod.FindStringSubmatch(context); m != nil {
				x.Method = folding.MethodOf(strings.TrimSpace(m[1]))
			}
		}
	}
	return x, true
}
