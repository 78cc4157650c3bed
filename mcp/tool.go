package mcp

import (
	"context"
	"errors"
	"reflect"

	"sextant/internal/navigate/contract"
)

// Service answers the six tools. [sextant/internal/navigate.Service] implements
// it. It has one method per tool because each handler calls exactly one.
//
// Requests are normalized. An error is *contract.InvalidArguments,
// *contract.Refusal, the error of ctx, or an internal failure.
type Service interface {
	ListCodebases(context.Context, contract.ListRequest) (contract.ListAnswer, error)
	Search(context.Context, contract.SearchRequest) (*contract.SearchAnswer, error)
	Outline(context.Context, contract.OutlineRequest) (*contract.OutlineAnswer, error)
	CallGraph(context.Context, contract.GraphRequest) (*contract.GraphAnswer, error)
	Read(context.Context, contract.ReadRequest) (*contract.ReadAnswer, error)
	Manage(context.Context, contract.ManageRequest) (*contract.ManageAnswer, error)
}

// tool defines one tool: its announcement, its arguments and its handler.
type tool struct {
	name, title, about string
	fields             []field
	writes             bool // whether it changes the index
	request            func() contract.Request
	handle             func(context.Context, Service, contract.Request) (any, error)
}

// tools returns the six tools, in the order in which an agent needs them.
func tools() []*tool {
	return []*tool{listCodebases(), searchCodebase(), fileOutline(), callGraph(), readFile(), manageIndex()}
}

// Tool is the announcement of a tool to clients.
type Tool struct {
	Name        string
	Title       string
	Description string
	Schema      []byte // JSON Schema of the arguments
	ReadOnly    bool
}

// handler converts a method of Service, such as Service.Search, to the form of
// tool.handle. All requests of a tool have the same type.
func handler[R, A any, P interface {
	*R
	contract.Request
}](method func(Service, context.Context, R) (A, error)) func(context.Context, Service, contract.Request) (any, error) {
	return func(ctx context.Context, s Service, req contract.Request) (any, error) {
		answer, err := method(s, ctx, *req.(P))
		if err != nil {
			return nil, err // this any must be nil itself, not hold a nil pointer
		}
		if v := reflect.ValueOf(answer); v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, errors.New("the service gave neither an answer nor an error")
		}
		return answer, nil
	}
}
