// Package declared holds the calls between services that a workspace declares itself, in its
// sextant.toml, for clients and buses of its own that no rule knows:
//
//	[[declare]]
//	function = "OrdersClient.call"   # the callee, with as many qualifiers as are needed
//	transport = "http"               # http, publish or consume
//	path = 1                         # the argument with the path; 0 is the first
//	method = "POST"                  # a method of HTTP, or the argument with it
//	service = "orders"               # the name of the service, or the argument with it
//
//	[[declare]]
//	function = "bus.emit"
//	transport = "publish"
//	topic = 0
//
// A declaration is data: it is never run, and it applies only to the workspace whose file
// contains it.
package declared

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// These are the values of transport: how a declared call reaches its target.
const (
	HTTP    = "http"
	Publish = "publish"
	Consume = "consume"
)

// Max bounds the declarations of a workspace.
const Max = 100

// maxArgument is the highest position of an argument that a table [[declare]] may name.
const maxArgument = 20

// Role says where one part of a declared call is, such as its path: in the argument at position
// At or, if At is negative, in the declaration itself, as Text.
type Role struct {
	At   int
	Text string
}

// None is the Role of a part that the declaration does not give.
var None = Role{At: -1}

// Given reports whether the declaration gives the part.
func (r Role) Given() bool { return r != None }

// Call is one table [[declare]] of a sextant.toml that contains everything that its transport
// requires.
type Call struct {
	Function  string // "emit", "bus.emit"
	Transport string
	Broker    string // messaging system, within which publish and consume meet; "" is that of declared calls
	Method    Role
	Path      Role
	Service   Role
	Topic     Role
	Handler   Role
}

// Name returns the last name of the function: "emit" of "bus.emit".
func (c *Call) Name() string { return c.Function[strings.LastIndexByte(c.Function, '.')+1:] }

// Qualifier returns the name before the last one: "bus" of "app.bus.emit"; "" if there is none.
func (c *Call) Qualifier() string {
	rest, _, ok := cutLast(c.Function)
	if !ok {
		return ""
	}
	return rest[strings.LastIndexByte(rest, '.')+1:]
}

func cutLast(name string) (before, after string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// Entry is one table [[declare]] as written. A field of type any holds the position of an argument,
// or a text.
type Entry struct {
	Function  string `toml:"function"`
	Transport string `toml:"transport"`
	Broker    string `toml:"broker"`
	Method    any    `toml:"method"`
	Path      any    `toml:"path"`
	Service   any    `toml:"service"`
	Topic     any    `toml:"topic"`
	Handler   any    `toml:"handler"`
}

// Read returns the calls of the entries that are complete. For each other entry it returns a line
// that says what is wrong.
func Read(entries []Entry) (calls []Call, problems []string) {
	if len(entries) > Max {
		problems = append(problems, fmt.Sprintf("[[declare]]: only the first %d of %d are read", Max, len(entries)))
		entries = entries[:Max]
	}
	for i, e := range entries {
		c, err := e.call()
		if err != nil {
			problems = append(problems, fmt.Sprintf("[[declare]] %d: %v; this one is ignored", i+1, err))
			continue
		}
		calls = append(calls, c)
	}
	return calls, problems
}

var functionName = regexp.MustCompile(`^[\pL_$][\pL\pN_$]*(?:\.[\pL_$][\pL\pN_$]*)*$`)

func (e *Entry) call() (c Call, err error) {
	c = Call{Function: strings.NewReplacer("::", ".", "->", ".").Replace(e.Function), Transport: e.Transport,
		Broker: e.Broker}
	if !functionName.MatchString(c.Function) {
		return c, fmt.Errorf("function is %q; want the name of a function, such as \"bus.emit\"", e.Function)
	}
	for _, part := range []struct {
		name  string
		given any
		to    *Role
	}{{"method", e.Method, &c.Method}, {"path", e.Path, &c.Path}, {"service", e.Service, &c.Service},
		{"topic", e.Topic, &c.Topic}, {"handler", e.Handler, &c.Handler}} {
		if *part.to, err = roleOf(part.given); err != nil {
			return c, fmt.Errorf("%s of %s is %v; want the number of an argument, 0 to %d, or a text", part.name,
				c.Function, part.given, maxArgument)
		}
	}
	switch c.Transport {
	case HTTP:
		if !c.Path.Given() {
			return c, fmt.Errorf("%s has no path; say which argument holds it: path = 0", c.Function)
		}
		if c.Topic.Given() || c.Handler.Given() {
			return c, fmt.Errorf("%s is a call by http; topic and handler belong to publish and consume", c.Function)
		}
		if m := c.Method; m.Given() && m.At < 0 && !slices.Contains(methods, m.Text) {
			return c, fmt.Errorf("method of %s is %q; want one of %s, or the number of an argument", c.Function,
				m.Text, strings.Join(methods, ", "))
		}
	case Publish, Consume:
		if !c.Topic.Given() {
			return c, fmt.Errorf("%s has no topic; say which argument holds it: topic = 0", c.Function)
		}
		if c.Path.Given() || c.Method.Given() || c.Service.Given() {
			return c, fmt.Errorf("%s is an end of messages; path, method and service belong to http", c.Function)
		}
	default:
		return c, fmt.Errorf("transport of %s is %q; want http, publish or consume", c.Function, c.Transport)
	}
	return c, nil
}

var methods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}

func roleOf(given any) (Role, error) {
	switch v := given.(type) {
	case nil:
		return None, nil
	case int64:
		if v < 0 || v > maxArgument {
			return None, fmt.Errorf("out of range")
		}
		return Role{At: int(v)}, nil
	case string:
		if v == "" {
			return None, fmt.Errorf("empty")
		}
		return Role{At: -1, Text: v}, nil
	}
	return None, fmt.Errorf("neither a number nor a text")
}
