package mcp

import (
	"context"
	"errors"
	"reflect"

	"sextant/internal/navigate/contract"
)

// Service answers the six tools. It is implemented by
// [sextant/internal/navigate.Service]; it has as many methods as there are tools because a handler calls one of them
// and nothing else.
//
// Requests come normalized. An error is *contract.InvalidArguments,
// *contract.Refusal, the error of ctx, or an internal failure.
type Service interface {
	ListCodebases(context.Context, contract.ListRequest) (contract.ListAnswer, error)
	Search(context.Context, contract.SearchRequest) (*contract.SearchAnswer, error)
	Outline(context.Context, contract.OutlineRequest) (*contract.OutlineAnswer, error)
	CallGraph(context.Context, contract.GraphRequest) (*contract.GraphAnswer, error)
	Read(context.Context, contract.ReadRequest) (*contract.ReadAnswer, error)
	Manage(context.Context, contract.ManageRequest) (*contract.ManageAnswer, error)
}

// tool is everything that is said of one tool, once.
type tool struct {
	name, title, about string
	fields             []field
	writes             bool // changes the index
	request            func() contract.Request
	handle             func(context.Context, Service, contract.Request) (any, error)
}

// tools are the six, in the order in which an agent meets them.
func tools() []*tool {
	return []*tool{listCodebases(), searchCodebase(), fileOutline(), callGraph(), readFile(), manageIndex()}
}

// Tool is what a client is told of a tool.
type Tool struct {
	Name        string
	Title       string
	Description string
	Schema      []byte // JSON Schema of the arguments
	ReadOnly    bool
}

// handler makes a handle of a method of the service: the requests of a tool
// all have one type.
func handler[R, A any, P interface {
	*R
	contract.Request
}](method func(Service, context.Context, R) (A, error)) func(context.Context, Service, contract.Request) (any, error) {
	return func(ctx context.Context, s Service, req contract.Request) (any, error) {
		answer, err := method(s, ctx, *req.(P))
		if err != nil {
			return nil, err // and no nil pointer in an any
		}
		if v := reflect.ValueOf(answer); v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, errors.New("the service gave neither an answer nor an error")
		}
		return answer, nil
	}
}
