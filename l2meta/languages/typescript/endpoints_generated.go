package typescript

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// byEndpoint returns the request that an endpoint of RTK Query describes: builder.query({ query: (id) =>
// `orders/${id}` }), builder.mutation({ query: (body) => ({ url: "orders", method: "POST", body }) }). The API of
// the same file may have a base address. It returns false for other calls.
func byEndpoint(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) != 1 {
		return x, false
	}
	given := folding.Property(args[0], "query")
	if m := shorthandQuery.FindStringSubmatch(args[0]); given == "" && m != nil {
		given = "() => " + m[1]
	}
	body := arrowHead.FindString(given)
	if body == "" {
		return x, false
	}
	result := strings.TrimSpace(given[len(body):])
	if m := returned.FindStringSubmatch(result); m != nil {
		result = m[1]
	}
	result = strings.TrimSpace(strings.TrimPrefix(result, "("))
	x = services.Request{Method: "GET", URL: strings.TrimRight(result, ", \n"), Sure: true}
	if strings.HasPrefix(result, "{") {
		x.URL = folding.Property(result, "url")
		if method := folding.Property(result, "method"); method != "" {
			x.Method = folding.MethodOf(folding.Unquoted(method))
		}
	}
	if x.URL == "" || strings.IndexByte("\"'`", x.URL[0]) < 0 {
		return x, false
	}
	x.Base = baseOfAPI(r)
	return x, true
}

// byBaseQuery returns the request that the queryFn of an endpoint of RTK Query sends by the query of its API:
// baseQuery({ url: "orders", method: "POST" }), fetchWithBQ("orders"). It returns false for other calls.
func byBaseQuery(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 || !r.Mentions("queryFn") {
		return x, false
	}
	if x, ok = asked(r, c, args[:1]); ok {
		x.Base = baseOfAPI(r)
	}
	return x, ok
}

// baseOfAPI returns the base address of the API of RTK Query whose endpoints a file declares; a placeholder if the
// file only adds endpoints to an API that another file may declare.
func baseOfAPI(r *services.Reader) string {
	if m := extendedAPI.FindStringSubmatch(r.Text); m != nil {
		return "{!" + m[1] + "." + services.InstanceBase + "}"
	}
	return queriesBelow(r, r.Text)
}

// queriesBelow returns the base address of the first API of RTK Query in a text, or of its first
// fetchBaseQuery. The address is an argument of the function that creates the API's query. It
// returns "" if there is none.
func queriesBelow(r *services.Reader, text string) string {
	made := queryMaker.FindStringIndex(text)
	if made == nil {
		made = baseQuery.FindStringIndex(text)
	}
	if made == nil {
		return ""
	}
	at := strings.Index(r.Text, text) + made[1]
	for _, arg := range folding.ListItems(r.Text[at:]) {
		if strings.HasPrefix(arg, "{") {
			if base := folding.Property(arg, "baseUrl"); base != "" {
				return r.Fold(base, at)
			}
		} else if base := r.Fold(arg, at); strings.Contains(base, "://") || strings.HasPrefix(base, "{env:") {
			return base
		}
	}
	return ""
}

var (
	arrowHead      = regexp.MustCompile(`^(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>\s*`)
	returned       = regexp.MustCompile(`^\{\s*return\s+([\s\S]+?);?\s*\}$`)
	shorthandQuery = regexp.MustCompile(`\bquery\([^()]*\)\s*(\{\s*return\s[\s\S]+?;?\s*\})`)
	baseQuery      = regexp.MustCompile(`\bfetchBaseQuery\(`)
	// queryMaker matches the call of the function that creates the query of an API:
	// fetchBaseQuery, or another function.
	queryMaker = regexp.MustCompile(`\bbaseQuery:\s*\w+\(`)
	// extendedAPI matches the API to which a file adds endpoints, perhaps after its tags. Another file may declare the
	// API.
	extendedAPI = regexp.MustCompile(
		`\b(\w+)\s*(?:\.enhanceEndpoints\((?:[^()]|\([^()]*\))*\)\s*)?\.injectEndpoints\(`)
)

// byGenerated returns the request of a client that openapi-typescript-codegen generates: __request(OpenAPI, {
// method: "GET", url: "/orders/{id}" }), below the base address in OpenAPI.BASE. It returns false for other calls.
func byGenerated(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) != 2 || args[0] != "OpenAPI" {
		return x, false
	}
	x = services.Request{Method: folding.MethodOf(folding.Unquoted(folding.Property(args[1], "method"))),
		URL: folding.Property(args[1], "url"), Base: "{OpenAPI.BASE}", Sure: true}
	return x, x.Method != "" && x.URL != ""
}

// byOptions returns the request of a client whose method gets its options as one object:
// (options.client ?? client).get({ url: "/orders/{id}", ...options }), as @hey-api/openapi-ts
// generates it. It returns false for other calls.
func byOptions(r *services.Reader, c *code.Call, verb string) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) != 1 || !strings.HasPrefix(args[0], "{") || !strings.Contains(strings.ToLower(c.Receiver), "client") {
		return x, false
	}
	x = services.Request{Method: verb, URL: folding.Property(args[0], "url"), Sure: true}
	return x, isPathText(x.URL)
}
