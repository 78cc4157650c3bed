package contract

// ServiceMap is the services of a workspace and what goes between them.
type ServiceMap struct {
	Outcome
	CodebaseRoot string          `json:"codebaseRoot,omitempty"`
	Services     []MappedService `json:"services"`
	Links        []ServiceLink   `json:"links"`
	Unanswered   []Unanswered    `json:"unanswered"`
}

// MappedService is a service with the routes that it answers.
type MappedService struct {
	RootService
	Routes []MappedRoute `json:"routes,omitempty"`
}

// MappedRoute is a route and where it is declared.
type MappedRoute struct {
	Route string `json:"route"` // "GET /items/{}"
	File  string `json:"file"`
	Line  int    `json:"line"`
}

// ServiceLink is the calls of one kind from one service to another, both by Path.
type ServiceLink struct {
	From       string   `json:"from"`
	To         string   `json:"to"`
	Kind       string   `json:"kind"`                 // http, grpc, message
	Calls      int      `json:"calls"`                // call sites
	Candidates int      `json:"candidates,omitempty"` // those of Calls that are likely only
	Via        []string `json:"via"`                  // routes, methods and topics
}

// Unanswered is a call to which nothing in the workspace answers.
type Unanswered struct {
	From   string `json:"from"` // the service's Path
	Kind   string `json:"kind"`
	Via    string `json:"via"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}
