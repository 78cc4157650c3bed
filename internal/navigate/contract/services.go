package contract

// ServiceMap lists the services of a workspace and the calls between them.
type ServiceMap struct {
	Outcome
	CodebaseRoot string `json:"codebaseRoot,omitempty"`
	// Within is the folder to whose services, and those linked to them, the map is restricted; "" for a whole root.
	Within     string          `json:"within,omitempty"`
	Services   []MappedService `json:"services"`
	Links      []ServiceLink   `json:"links"`
	Unanswered []Unanswered    `json:"unanswered"`
}

// MappedService is a service and the routes that it serves.
type MappedService struct {
	RootService
	Routes []MappedRoute `json:"routes,omitempty"`
}

// MappedRoute is a route and the place of its declaration.
type MappedRoute struct {
	Route string `json:"route"` // "GET /items/{}"
	File  string `json:"file"`
	Line  int    `json:"line"`
}

// ServiceLink counts the calls of one kind that one service makes to another. From and To are the Path of a service.
type ServiceLink struct {
	From       string   `json:"from"`
	To         string   `json:"to"`
	Kind       string   `json:"kind"`                 // http, grpc, message
	Calls      int      `json:"calls"`                // call sites
	Candidates int      `json:"candidates,omitempty"` // those of Calls that are only likely
	Via        []string `json:"via"`                  // routes, methods and topics
}

// Unanswered is a call that no service in the workspace handles.
type Unanswered struct {
	From   string `json:"from"` // the service's Path
	Kind   string `json:"kind"`
	Via    string `json:"via"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}
