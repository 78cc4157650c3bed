package services

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
)

// A call may get a function together with the arguments for that function: a circuit breaker, a
// retry, a pool of threads. Such a call counts as a call of that function.

// handsOn returns a function of the file, and arguments for it, which a call gets together so
// that another function calls it later: run_in_threadpool(publish, topic, event),
// Thread(target=publish, args=(topic,)). callee is "" if there is no such function.
func (pr *passReader) handsOn(c *code.Call) (callee string, args []string) {
	if c.Kind == code.CallPlain && runs(c.Callee) || c.Callee == "Thread" {
		args = pr.Arguments(c)
		if given := folding.Keyword(args, "target"); given != "" {
			args = append([]string{given}, folding.ListItems(strings.TrimLeft(folding.Keyword(args, "args"), "(["))...)
		}
	}
	for i, arg := range args[:min(len(args), maxRunAt)] {
		name := strings.TrimPrefix(arg, "self.")
		if !folding.Identifier.MatchString(name) || len(args) == i+1 {
			continue
		}
		if pr.Folder.Declares(name) {
			return name, args[i+1:]
		}
	}
	return "", nil
}

// maxRunAt is the number of leading arguments that may be the function to run: submit(publish, topic), retry(3,
// publish).
const maxRunAt = 2

// runs reports whether the name of a function is typical of one that runs another function.
func runs(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(running, func(w string) bool { return strings.Contains(name, w) }) ||
		slices.ContainsFunc(runningFirst, func(w string) bool { return strings.HasPrefix(name, w) }) ||
		slices.Contains(runningWhole, name)
}

var (
	running      = strings.Fields("thread executor background")
	runningFirst = strings.Fields("spawn schedule retry call_soon")
	runningWhole = strings.Fields("submit partial enqueue add_task")
)

// HandedTo is the name of an argument in a fact of RolePass. It holds the expression of the
// function for which the other arguments are: breaker.call(self.base.get, url) passes url to
// self.base.get.
const HandedTo = "handed="

// keepHanded records that a call passes both a function and an address for it, whatever the name
// of the call: breaker.call(self.base.get, url).
func (pr *passReader) keepHanded(c *code.Call) {
	if c.Kind != code.CallPlain || folding.Deaf[c.Callee] || folding.Deaf[folding.LastWord(c.Receiver)] {
		return
	}
	args := pr.Arguments(c)
	for i, arg := range args[:min(len(args), maxRunAt)] {
		if i+1 == len(args) || !mayBeFunction.MatchString(arg) || !pr.namesFunction(arg) {
			continue
		}
		callee := folding.LastWord(arg)
		fact, url, ok := pr.passing(c, callee, args[i+1:], Verb(callee) != "", false)
		if !ok {
			return
		}
		fact.Type += "\t" + HandedTo + arg
		pr.out = append(pr.out, fact)
		if url != "" {
			pr.Keep(l2meta.RoleFetch, c.Caller, c.NameSpan, "?"+Verb(callee), url, "")
		}
		return
	}
}

// mayBeFunction matches a name, or a path of names: fetch, self.base.get, Orders::find.
var mayBeFunction = regexp.MustCompile(`^[A-Za-z_$][\w$]*(?:(?:\.|::|->)\w+)*$`)

// namesFunction reports whether an expression names a function of the file, or a member that is named after an HTTP
// method: requests.get, self.base.post.
func (pr *passReader) namesFunction(expr string) bool {
	name := folding.LastWord(expr)
	if name != expr {
		return PlainVerb(name) != "" && name != strings.ToUpper(name) // HttpMethod.GET is a constant
	}
	return pr.Folder.Declares(name)
}

// spreads matches arguments that begin with a placeholder for all arguments of the enclosing
// function: (*args, **kwargs), (...args).
var spreads = regexp.MustCompile(`^\(\s*(?:\*|\.\.\.)\$?\w`)

// spread returns the arguments of a call. If the first argument is a placeholder for all arguments
// of the enclosing function, spread replaces it by the first of these: args for *args, if the
// function is def send(*args).
func (pr *passReader) spread(c *code.Call, args []string) []string {
	if len(args) == 0 {
		return args
	}
	name := strings.Trim(args[0], "*.")
	if name == args[0] || !folding.Identifier.MatchString(name) || pr.Folder.Parameter(name, c.NameSpan.StartByte) == "" {
		return args
	}
	return append([]string{name}, args[1:]...)
}

// passedObject encodes the members of an object that describes a request as one text:
// "{Url=/x␟Method={HttpMethod.Post}" for new Dto { Url = "/x", Method = HttpMethod.Post }. It returns "" for any
// other argument.
func (pr *passReader) passedObject(arg string, at int) string {
	if strings.HasPrefix(arg, "{") {
		return "" // the method passed encodes an object literal itself
	}
	var items []string
	told := false
	for _, m := range pr.Described(arg, at) {
		t, text := pr.passed(m.Value, m.At, false)
		if t || namesMethod(text) {
			told = told || t && (!strings.HasPrefix(text, "{#") || folding.MentionsAddress(m.Name))
			items = append(items, m.Name+"="+text)
		}
	}
	if !told {
		return ""
	}
	return "{" + strings.Join(items, unit)
}

// namesMethod reports whether a text names an HTTP method, as a literal or as a constant in braces: "GET",
// "{HttpMethod.Get}".
func namesMethod(text string) bool { return folding.MethodOf(strings.Trim(text, "{}")) != "" }
