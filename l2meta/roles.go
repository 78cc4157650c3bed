package l2meta

// RoleRPC and the other roles are the names of endpoint facts: relations of a file to the services
// around it, extracted from its own bytes. They consist of letters and digits, because the index
// stores them as search tokens (Schema).
const (
	// RoleRPC: a .proto declares services. The fact holds the names that its package has in the
	// generated languages. If it comes from generated code that names a method, it holds
	// "/package.Service/Method".
	RoleRPC = "rpc"
	// RoleServes: a call registers an implementation with a gRPC server. The fact holds the text of
	// the call from the callee's name on, or "@Service/Method" for an annotation on a handler.
	RoleServes = "rpcserve"
	// RoleRoute: a function answers a path: "METHOD path handler router", separated by tabs. METHOD
	// "*" means any; handler is "" if Owner is the handler, "=>" for an unnamed function.
	RoleRoute = "route"
	// RoleMount: routes of another file are mounted below a path: "* path router". router is "()"
	// for the routes that the called function adds, "(f)" for those that f adds, "." for all routes
	// of an application, ".." for all routes of the service that a setting belongs to, "?router"
	// for a router that is mounted nowhere else.
	RoleMount = "mount"
	// RoleFetch: a call requests a URL: "METHOD url", or "?METHOD" for a URL that is passed to a
	// call that may request it.
	RoleFetch = "fetch"
	// RoleInherit: a type takes over the routes that its base types declare, and its subtypes take
	// over those that it declares: "SERVES prefix" for a type that answers them, "ASKS address
	// prefix" for a client that requests them, "DECLARES prefix" for any other type. There is one
	// fact for each prefix of paths.
	RoleInherit = "inherit"
	// RoleBase: a client class has a base URL for all of its requests: "* url class".
	RoleBase = "base"
	// RoleHost: a manifest names a host: "env NAME value block", "name NAME folder", "name NAME
	// Projects.NAME", "key KEY value"; or a program in the file listens there: "port NUMBER".
	RoleHost = "host"
	// RoleText: a constant, field, key or small function has a URL, a path or a name as its value:
	// "NAME value", separated by a tab.
	RoleText = "text"
	// RolePass: a call in source code passes a RoleText value, which its callee may use in a
	// request: "CALLEE" and the arguments, separated by tabs.
	RolePass = "pass"
	// RoleProxy: a proxy forwards requests: "match target entry", see l2meta/proxies.
	RoleProxy = "proxy"
	// RolePublish and RoleConsume: a function publishes or consumes messages: "broker key type
	// scope handler", separated by tabs; trailing fields may be missing. broker is "" for buses
	// that route by the type of the payload. Types in a list are separated by commas; handler is as
	// in RoleRoute.
	RolePublish = "publish"
	RoleConsume = "consume"
	// RoleWriter and RoleReader: a function creates an object that publishes to, or consumes from,
	// a topic: "broker topic". A RolePublish or RoleConsume fact that takes its topic from such an
	// object has the topic services.Carried.
	RoleWriter = "writer"
	RoleReader = "reader"
	// RoleOperation: an OpenAPI document names an operation: "ID METHOD path base tag". base is the path that
	// all operations of the document are below, tag the first of the operation's, "" for none.
	RoleOperation = "operation"
	// RoleBind: a queue receives the messages of an exchange: "broker pattern kind exchange queue".
	RoleBind = "bind"
)
