package l2meta

// RoleRPC and the other roles are the names of endpoint facts, which say how the code or
// configuration in a file serves or calls services. Each role describes the Type of its facts; the
// words of a quoted Type are separated by tabs. Roles consist of letters and digits, because the
// index stores them as search tokens (Schema).
const (
	// RoleRPC says that a .proto file declares an rpc. It has one fact with an empty Type, and
	// one for each name that its package has in a generated language, as by option go_package.
	// Generated code has facts as well, one for each method that it mentions:
	// "/package.Service/Method".
	RoleRPC = "rpc"
	// RoleServes says that a call registers an implementation with a gRPC server. The fact holds
	// the text of the call from the callee's name on, "RegisterCartServer(s, cart)", or
	// "@Service/Method" for an annotation on a handler.
	RoleServes = "rpcserve"
	// RoleRoute says that a function answers requests for a path: "METHOD path handler router",
	// separated by tabs. METHOD "*" means any; handler is "" if the fact's Owner is the handler,
	// "=>" for an unnamed function. A path that ends in AnyFormat answers with any extension, too.
	RoleRoute = "route"
	// RoleEntry says that a call, an annotation or an element of a list may register a route:
	// "METHOD path handler router" as in RoleRoute. A handler "?NAME" is a router that the call
	// creates for the routes below path. A handler that is no function may be a router, whose
	// routes are then below path.
	RoleEntry = "entry"
	// RoleMount says that the routes of a router are below a path, as in app.use("/api", orders):
	// "* path router on". on is the router that they are added to, app; it is missing if that is
	// unknown. router is "()" for the routes that the called function adds, "(f)" for those that
	// f adds, "." for all routes of an application, ".." for all routes of the service that a
	// setting belongs to, "?router" for a router for which no other mount is found.
	RoleMount = "mount"
	// RoleFetch says that a call requests a URL: "METHOD url", or "?METHOD url" if the URL is
	// passed to a call that may request it. A third field lists the values that boolean
	// parameters of the function, by position, must have for the call to request this URL:
	// "2=true,5=false". A fourth field names the library whose default address applies, see
	// services.Request.
	RoleFetch = "fetch"
	// RoleInherit says that a type inherits the routes that its base types declare, and that its
	// subtypes inherit those that it declares: "SERVES prefix" for a type that answers them,
	// "ASKS address prefix" for a client that requests them, "DECLARES prefix" for any other
	// type. There is one fact for each prefix of paths.
	RoleInherit = "inherit"
	// RoleBase says that a client class has a base URL for all of its requests: "* url class".
	RoleBase = "base"
	// RoleHost says that a configuration file names a host. Spaces separate the words of its
	// Type. "env NAME value deployment" is an environment variable of a deployment, "name NAME
	// folder" the network name of the service in a folder, "name NAME Projects.NAME" that of a
	// .NET project, "key KEY value" a setting, "arg ADDRESS deployment" an address that is an
	// argument of a program. "port NUMBER" means that a program in the file listens on that port.
	RoleHost = "host"
	// RoleText says that a constant, field, key or small function has a URL, a path or a name as
	// its value: "NAME value", separated by a tab. ORDERS = "http://orders" is an example.
	RoleText = "text"
	// RolePass says that a call passes a text that its callee may use in a request, as
	// get("/orders") does: "CALLEE" and the arguments, separated by tabs.
	RolePass = "pass"
	// RoleProxy says that a proxy forwards requests: "match target entry"; see package
	// l2meta/proxies.
	RoleProxy = "proxy"
	// RolePublish and RoleConsume say that a function publishes or consumes messages: "broker key
	// type scope handler", separated by tabs; trailing fields may be missing. broker is "" for
	// buses that route by the type of the payload. Types in a list are separated by commas;
	// handler is as in RoleRoute.
	RolePublish = "publish"
	RoleConsume = "consume"
	// RoleMayPublish and RoleMayConsume say that a call, an annotation or a base type of a
	// library for which there is no rule may publish or consume messages; see
	// services.PossibleEnd.
	RoleMayPublish = "maypublish"
	RoleMayConsume = "mayconsume"
	// RoleWriter and RoleReader say that a function creates an object that publishes to, or
	// consumes from, a topic: "broker topic". A RolePublish or RoleConsume fact about a call on
	// such an object has services.Carried in place of the topic.
	RoleWriter = "writer"
	RoleReader = "reader"
	// RoleOperation says that an OpenAPI document names an operation: "ID METHOD path base tag".
	// base is the path below which all operations of the document are; tag is the first tag of
	// the operation or "".
	RoleOperation = "operation"
	// RoleBuilt says that a method of a generated client requests a URL, below an address that the client is given:
	// "METHOD path". The methods of other classes put the path together, client.orders().byId(id).get(), so that the
	// request counts at the call of the method.
	RoleBuilt = "built"
	// RoleBind says that a queue receives the messages of an exchange: "broker pattern kind
	// exchange queue".
	RoleBind = "bind"
)

// AnyFormat is the end of a route's path that answers with any extension, as Rails spells it: /orders answers
// /orders.json, too.
const AnyFormat = "(.:format)"
