package elixir

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how Elixir programs serve routes, make requests and exchange messages.
var idioms = &services.Idioms{
	Names: []string{"get!", "post!", "put!", "patch!", "delete!", "head!", "request", "request!", "build",
		"resources", "match", "forward"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Fold:      fold,
	Arguments: arguments,
	Whole:     readServers,
	Messages:  messages,
}

// httpClients lists the modules whose functions make requests.
var httpClients = []string{"HTTPoison", "Req", "Tesla", "Finch", "HTTPotion", ":httpc", ":hackney", "Mojito"}

// requestOf reads a call as a request: HTTPoison.get(url), Req.post!(client, url: "/x"),
// Tesla.get(client, "/x"), Finch.build(:get, url), or the bare get("/x") of a module that uses
// Tesla. ok is false for any other call.
func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	bare := c.Receiver == "" && r.Mentions("use Tesla")
	args := arguments(r.After(c))
	if len(args) == 0 || !bare && !isClient(r, c.Receiver) {
		return x, false
	}
	x = services.Request{Method: services.PlainVerb(strings.TrimSuffix(c.Callee, "!")), Sure: true}
	if x.Method == "" { // request(:get, url)
		if x.Method = folding.MethodOf(strings.TrimPrefix(args[0], ":")); x.Method == "" {
			return x, false
		}
		args = args[1:]
	}
	for _, a := range args {
		if url, named := strings.CutPrefix(a, "url:"); named {
			x.URL = strings.TrimSpace(url)
		}
	}
	if given := positional(args); x.URL == "" && len(given) > 0 {
		x.URL = strings.TrimPrefix(given[0], "{") // :httpc takes a tuple: {url, headers}
		if len(given) > 1 && (c.Receiver == "Tesla" || bare) && !isText(given[0]) {
			x.URL = given[1] // the first argument is the client
		}
	}
	x.Base = baseOf(r)
	return x, x.URL != ""
}

// isClient reports whether the receiver of a call names an HTTP client: one of httpClients, or
// __MODULE__ in a file with `use HTTPoison.Base`.
func isClient(r *services.Reader, module string) bool {
	return slices.Contains(httpClients, module) || module == "__MODULE__" && r.Mentions("use HTTPoison.Base")
}

// base matches the text before the base URL of a client: `Tesla.Middleware.BaseUrl, ` in plug
// Tesla.Middleware.BaseUrl, "http://a", and `base_url: ` in Req.new(base_url: url).
var base = regexp.MustCompile(`(?:\bTesla\.Middleware\.BaseUrl\s*,|\bbase_url:)\s*`)

// baseOf returns the first base URL that the file gives a client, without a slash at its end; "" if
// it gives none.
func baseOf(r *services.Reader) string {
	if m := r.Matches(base, 0, len(r.Text)); len(m) > 0 {
		return strings.TrimRight(r.Fold(r.Expression(m[0][1]), m[0][0]), "/")
	}
	return ""
}

// setting matches the start of an expression that reads an application's setting: Application.get_env(:shop,
// :orders_url, "http://a").
var setting = regexp.MustCompile(`^Application\.(?:get_env|fetch_env!|compile_env!?)\(`)

// fold evaluates an expression that reads an application's setting. It returns a placeholder with
// the setting's key and default value (see services.SettingHole): {env:shop.orders_url|…} for
// Application.get_env(:shop, :orders_url, "http://a"). It returns false for any other expression.
func fold(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	m := setting.FindString(expr)
	if m == "" {
		return "", false
	}
	args := folding.ListItems(expr[len(m):])
	if len(args) < 2 {
		return "", false
	}
	otherwise := ""
	if len(args) > 2 {
		otherwise = inner(args[2], at)
	}
	if strings.ContainsAny(otherwise, "{}") {
		return otherwise, true
	}
	return folding.SettingHole(strings.TrimLeft(args[0]+"."+strings.TrimPrefix(args[1], ":"), ":"), otherwise), true
}

// arguments splits the text after the name of a call into arguments, up to the block of the call: get "/orders/:id",
// OrderController, :show. Parentheses are optional.
func arguments(behind string) []string {
	rest := strings.TrimLeft(behind, " \t")
	if strings.HasPrefix(rest, "(") {
		return folding.ListItems(rest[1:])
	}
	if m := blockStart.FindStringIndex(rest); m != nil {
		rest = rest[:m[0]]
	}
	return folding.ListItems(rest)
}

// blockStart matches the end of the arguments of a call without parentheses: the start of its
// block, or the end of a line that no comma continues.
var blockStart = regexp.MustCompile(`,?\s+do\b|[^,\s][ \t]*\n`)

// positional returns the arguments that are not keywords, such as only: [:show].
func positional(args []string) (out []string) {
	for _, a := range args {
		if !isOption.MatchString(a) {
			out = append(out, a)
		}
	}
	return out
}

// option returns the value of a keyword among arguments: [:show] for only: [:show]; "" if there is none.
func option(args []string, name string) string {
	for _, a := range args {
		if value, ok := strings.CutPrefix(a, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

var isOption = regexp.MustCompile(`^[a-z_]\w*:(?:\s|$)`)

func isText(arg string) bool { return strings.HasPrefix(arg, `"`) }
