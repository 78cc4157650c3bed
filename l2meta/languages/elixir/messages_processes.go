package elixir

import (
	"regexp"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Nodes of one Erlang cluster are programs that call each other's processes and functions. A
// process is called by the name under which it is registered, and the message selects the clause
// that answers:
//
//	GenServer.call({:global, :accounts}, {:register, params})
//	GenServer.start_link(__MODULE__, [], name: {:global, :accounts})
//	def handle_call({:register, params}, _from, state)
//
//
// The call and the clause are recorded under "accounts.register/1"; the number counts the
// elements of the message besides the atom. A function of another node is called by the name of
// its module and its own name:
//
//	:rpc.call(node, Accounts, :register, [params])

var processes = []services.Message{
	{Broker: services.Erlang, Role: services.Publishes, Callees: []string{"call", "cast", "multi_call"},
		Names: []string{"genserver"}, Read: processCall},
	{Broker: services.Erlang, Role: services.Publishes,
		Callees: []string{"call", "cast", "async_call", "block_call", "multicall", "eval_everywhere"},
		Names:   []string{"rpc", "erpc"}, Read: functionCall},
	{Broker: services.Erlang, Role: services.Consumes, Callees: []string{"start_link", "start"},
		Names: []string{"genserver"}, Read: registered},
}

var (
	// globalName matches the name of a process that all nodes know: {:global, :accounts}.
	globalName = regexp.MustCompile(`^\{\s*:global\s*,\s*:?"?([\w.]+)"?\s*\}$`)
	// onNode matches the name of a process of another node: {Accounts, :"auth@host"}.
	onNode = regexp.MustCompile(`^\{\s*:?([\w.]+)\s*,.+\}$`)
	// lookedUp matches the look-up of a process that all nodes know.
	lookedUp = regexp.MustCompile(`^:global\.whereis_name\(\s*:?([\w.]+)\s*\)$`)
	// nameOption matches the name that start_link registers a process under.
	nameOption = regexp.MustCompile(`\bname:\s*(\{[^}]*\}|:?[\w.]+)`)
	// messageTag matches the start of a message that begins with an atom, which tells it from
	// other messages: :list, {:get, id}.
	messageTag = regexp.MustCompile(`^(\{?)\s*:(\w+[?!]?)\s*(?:[,}]|$)`)
	// answers matches the start of a clause that handles a message of its process, up to the atom
	// of the message: def handle_call({:register.
	answers = regexp.MustCompile(`(?m)^[ \t]*def\s+(handle_(?:call|cast))\(\s*(\{?\s*:\w+[?!]?)`)
	// attributeValue matches the value of a module attribute on one line.
	attributeValue = regexp.MustCompile(`(?m)^\s*@(\w+)\s+(\S.*?)\s*$`)
	// defaultValue matches a parameter with a default.
	defaultValue = regexp.MustCompile(`[(,]\s*(\w+)\s*\\\\\s*(\{[^}]*\}|[@:]?[\w.]+)`)
	// moduleName matches the start of a module.
	moduleName = regexp.MustCompile(`(?m)^[ \t]*defmodule\s+([\w.]+)`)
)

// processCall records a call of a process that other nodes know. It reports whether c is one.
func processCall(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) < 2 {
		return false
	}
	name := remoteName(valueOf(r, args[0]))
	tag := tagOf(args[1])
	if name == "" || tag == "" {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: services.Erlang, Key: name + "." + tag})
	return true
}

// tagOf returns the atom that tells a message from others, with the number of elements besides
// the atom: "register/1" for {:register, params}, "list/0" for :list. It returns "" for a message
// without an atom.
func tagOf(message string) string {
	m := messageTag.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	others := 0
	if m[1] != "" {
		others = len(folding.ListItems(message[1:])) - 1
	}
	return m[2] + "/" + strconv.Itoa(others)
}

// remoteName returns the name of a process that may run on any node. It returns "" if an
// expression names a process of the same node.
func remoteName(expr string) string {
	for _, pattern := range []*regexp.Regexp{globalName, lookedUp, onNode} {
		if m := pattern.FindStringSubmatch(expr); m != nil && m[1] != "via" && m[1] != "local" {
			return m[1]
		}
	}
	return ""
}

// valueOf returns the value of an expression that is a module attribute or a parameter with a
// default. For a parameter it is the default of the only parameter of that name in the file that
// has one. It returns any other expression as it is.
func valueOf(r *services.Reader, expr string) string {
	for range 3 {
		pattern, name := defaultValue, expr
		if attribute, ok := strings.CutPrefix(expr, "@"); ok {
			pattern, name = attributeValue, attribute
		}
		found := ""
		for _, m := range r.Matches(pattern, 0, len(r.Text)) {
			if value := r.Text[m[4]:m[5]]; r.Text[m[2]:m[3]] == name && value != found {
				if found != "" {
					return expr
				}
				found = value
			}
		}
		if found == "" {
			return expr
		}
		expr = found
	}
	return expr
}

// registered records the messages that a process handles which registers itself under a name. It
// reports whether c starts such a process.
func registered(r *services.Reader, c *code.Call) bool {
	m := nameOption.FindStringSubmatch(r.After(c))
	if m == nil || !strings.Contains(strings.Join(r.Arguments(c), ","), m[0]) {
		return false
	}
	name := valueOf(r, m[1])
	if global := globalName.FindStringSubmatch(name); global != nil {
		name = global[1]
	} else if name == "__MODULE__" {
		name = moduleAt(r, c.NameSpan.StartByte)
	}
	if name = strings.TrimPrefix(name, ":"); name == "" || strings.HasPrefix(name, "{") {
		return false
	}
	for _, m := range r.Matches(answers, 0, len(r.Text)) {
		if pattern := folding.ListItems(r.Text[m[4]:]); len(pattern) > 0 {
			if tag := tagOf(pattern[0]); tag != "" {
				r.KeepMessage(services.Consumes, r.Around(m[2]), r.SpanAt(m[2]),
					services.End{Broker: services.Erlang, Key: name + "." + tag})
			}
		}
	}
	return true
}

// moduleAt returns the name of the last module that begins before a byte offset, "" if none does.
func moduleAt(r *services.Reader, at int) (name string) {
	for _, m := range r.Matches(moduleName, 0, at) {
		name = r.Text[m[2]:m[3]]
	}
	return name
}

// functionCall records a call of a function of another node, whose module and name are constants. It reports whether c
// is one.
func functionCall(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	// the node comes before the module, except in multicall, where it may be missing
	for i := 0; i < 2 && i+1 < len(args); i++ {
		module, function := valueOf(r, args[i]), args[i+1]
		if moduleReference.MatchString(module) && atom.MatchString(function) {
			if top, _, _ := strings.Cut(module, "."); strings.HasPrefix(moduleAt(r, c.NameSpan.StartByte)+".", top+".") {
				return true // the module is part of the same program
			}
			r.KeepMessage(services.Publishes, c.Caller, c.NameSpan,
				services.End{Broker: services.ErlangRPC, Key: module + "." + function[1:]})
			r.KeepText(c.Caller, c.NameSpan, services.ErlangRPC, module)
			return true
		}
	}
	return false
}

var (
	moduleReference = regexp.MustCompile(`^[A-Z]\w*(?:\.[A-Z]\w*)*$`)
	atom            = regexp.MustCompile(`^:\w+[?!]?$`)
)
