package l2meta

// The roles of endpoints: what a file says of the services around it, from its
// own bytes. Letters and digits alone, for they are tokens.
const (
	RoleRPC    = "rpc"      // a .proto declares services: the names under which languages know its package; "/package.Service/Method" where generated code names one
	RoleServes = "rpcserve" // a call hands an implementation to a gRPC server: the call from its callee's name on; "@Service/Method" where an annotation says that it answers
	RoleRoute  = "route"    // it answers a path: "METHOD path handler router", parted by tabs; "*" for any method, "" where Owner is the handler, "=>" for a function without a name
	RoleMount  = "mount"    // routes of another file stand below a path: "* path router"; "()" for those that the function called here adds, "(f)" for those that f does, "." for all of an application, ".." for all of the service that a setting is of, "?router" for one that is mounted nowhere else
	RoleFetch  = "fetch"    // it requests a URL: "METHOD url"; "?METHOD" for a URL that is passed to what may request it
	// What a type does with the routes and requests that its bases declare, and its
	// subtypes with its own: "SERVES prefix", "ASKS address prefix" of a client,
	// "DECLARES prefix" of another; one fact for each prefix.
	RoleInherit = "inherit"
	RoleBase    = "base"  // a class of clients has an address: "* url class"
	RoleHost    = "host"  // a manifest says who a host is: "env NAME value block", "name NAME folder", "name NAME Projects.NAME", "key KEY value"
	RoleText    = "text"  // a constant, field, key or small function is a URL, a path or a name: "NAME value", parted by a tab
	RolePass    = "pass"  // a call passes such text, which a request of its callee may use: "CALLEE" and its arguments, parted by tabs
	RoleProxy   = "proxy" // it sends requests on: "match target entry", see l2meta/proxies
	// It publishes or consumes messages: "broker key type scope handler", parted by
	// tabs, of which the last may be missing. The broker is "" for buses that go by
	// the type of the payload, a list of types is parted by commas; handler is as in
	// RoleRoute. RoleBind says what reaches a queue: "broker pattern kind exchange
	// queue".
	RolePublish = "publish"
	RoleConsume = "consume"
	RoleBind    = "bind"
)
