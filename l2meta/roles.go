package l2meta

// The roles of endpoints: what a file says of the services around it, from its
// own bytes. Letters and digits alone, for they are tokens.
const (
	// a .proto declares services: the names under which languages know its package;
	// "/package.Service/Method" where generated code names one
	RoleRPC = "rpc"
	// a call hands an implementation to a gRPC server: the call from its callee's name on;
	// "@Service/Method" where an annotation says that it answers
	RoleServes = "rpcserve"
	// it answers a path: "METHOD path handler router", parted by tabs; "*" for any method, ""
	// where Owner is the handler, "=>" for a function without a name
	RoleRoute = "route"
	// routes of another file stand below a path: "* path router"; "()" for those that the
	// function called here adds, "(f)" for those that f does, "." for all of an application,
	// ".." for all of the service that a setting is of, "?router" for one that is mounted
	// nowhere else
	RoleMount = "mount"
	// it requests a URL: "METHOD url"; "?METHOD" for a URL that is passed to a call that may
	// request it
	RoleFetch = "fetch"
	// a type serves or requests the routes that its bases declare, and its subtypes those that
	// it declares: "SERVES prefix", "ASKS address prefix" of a client, "DECLARES prefix" of
	// another; one fact for each prefix
	RoleInherit = "inherit"
	// a class of clients has an address: "* url class"
	RoleBase = "base"
	// a manifest says who a host is: "env NAME value block", "name NAME folder",
	// "name NAME Projects.NAME", "key KEY value"
	RoleHost = "host"
	// a constant, field, key or small function is a URL, a path or a name: "NAME value", parted
	// by a tab
	RoleText = "text"
	// a call passes such text, which a request of its callee may use: "CALLEE" and its
	// arguments, parted by tabs
	RolePass = "pass"
	// it sends requests on: "match target entry", see l2meta/proxies
	RoleProxy = "proxy"
	// it publishes or consumes messages: "broker key type scope handler", parted by tabs, of
	// which the last may be missing. The broker is "" for buses that go by the type of the
	// payload, a list of types is parted by commas; handler is as in RoleRoute
	RolePublish = "publish"
	RoleConsume = "consume"
	// messages of an exchange reach a queue: "broker pattern kind exchange queue"
	RoleBind = "bind"
)
