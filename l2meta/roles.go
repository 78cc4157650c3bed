package l2meta

// RoleRPC and the other roles are the names of endpoint facts, which say how the code or
// configuration in a file serves or calls services. The quoted text after each role is the Type of
// its facts. Roles consist of letters and digits, because the index stores them as search tokens
// (Schema).
const (
	// RoleRPC: a .proto declares services. There is one fact for each name that its package has in
	// a generated language, and one with an empty Type. Generated code that mentions a method has
	// "/package.Service/Method".
	RoleRPC = "rpc"
	// RoleServes: a call registers an implementation with a gRPC server. The fact holds the text of
	// the call from the callee's name on, "RegisterCartServer(s, cart)", or "@Service/Method" for
	// an annotation on a handler.
	RoleServes = "rpcserve"
	// RoleRoute: a function answers requests for a path: "METHOD path handler router", separated by
	// tabs. METHOD "*" means any; handler is "" if the fact's Owner is the handler, "=>" for an
	// unnamed function.
	RoleRoute = "route"
	// RoleEntry: a place that may register a route: "METHOD path handler router" as in RoleRoute. A handler "?NAME" is
	// a router that the place makes, below path. If a handler is no function, it may be a router mounted there.
	RoleEntry = "entry"
	// RoleMount: the routes of a router are below a path, as in app.use("/api", orders): "* path
	// router". router is "()" for the routes that the called function adds, "(f)" for those that f
	// adds, "." for all routes of an application, ".." for all routes of the service that a setting
	// belongs to, "?router" for a router that is mounted nowhere else.
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
	// RoleHost: a configuration file names a host. "env NAME value deployment" is an environment
	// variable, "name NAME folder" the network name of the service in a folder, "name NAME
	// Projects.NAME" that of a .NET project, "key KEY value" a setting. "port NUMBER" says that a
	// program in the file listens there.
	RoleHost = "host"
	// RoleText: a constant, field, key or small function has a URL, a path or a name as its value:
	// "NAME value", separated by a tab. ORDERS = "http://orders" is an example.
	RoleText = "text"
	// RolePass: a call passes a text that its callee may use in a request, as get("/orders") does:
	// "CALLEE" and the arguments, separated by tabs.
	RolePass = "pass"
	// RoleProxy: a proxy forwards requests: "match target entry", see l2meta/proxies.
	RoleProxy = "proxy"
	// RolePublish and RoleConsume: a function publishes or consumes messages: "broker key type
	// scope handler", separated by tabs; trailing fields may be missing. broker is "" for buses
	// that route by the type of the payload. Types in a list are separated by commas; handler is as
	// in RoleRoute.
	RolePublish = "publish"
	RoleConsume = "consume"
	// RoleMayPublish and RoleMayConsume: a call, an annotation or a base type of a library that no rule describes may
	// publish or consume messages, see services.PossibleEnd.
	RoleMayPublish = "maypublish"
	RoleMayConsume = "mayconsume"
	// RoleWriter and RoleReader: a function creates an object that publishes to, or consumes from,
	// a topic: "broker topic". A RolePublish or RoleConsume fact about a call on such an object has
	// services.Carried in place of the topic.
	RoleWriter = "writer"
	RoleReader = "reader"
	// RoleOperation: an OpenAPI document names an operation: "ID METHOD path base tag". base is the path that
	// all operations of the document are below, tag the first of the operation's, "" for none.
	RoleOperation = "operation"
	// RoleBind: a queue receives the messages of an exchange: "broker pattern kind exchange queue".
	RoleBind = "bind"
)
