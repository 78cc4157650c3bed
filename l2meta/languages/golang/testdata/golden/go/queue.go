// Package queue holds work until a worker is free.
package queue

import (
	"context"
	"fmt"
	str "strings"
	. "sync"
)

// Limits of the queue.
const (
	// MaxDepth is the number of jobs that may wait.
	MaxDepth    = 64
	minDepth, _ = iota, 2
)

var defaultName = str.ToLower("MAIN")

// ErrFull is returned when no more jobs fit.
var ErrFull = fmt.Errorf("queue: full (%d)", MaxDepth)

// Job is one unit of work.
type Job[T any] struct {
	ID, Parent int
	Run        func(context.Context, T) error
	meta       struct {
		owner string
	}
	*Options
	Locker
}

// A Source yields jobs.
type Source interface {
	fmt.Stringer
	// Next blocks until a job is ready.
	Next(ctx context.Context) (job *Job[int], err error)
}

type (
	Options   struct{ Name string }
	Predicate func(a, b int) bool
	Alias     = Options
)

// NewJob makes a job.
func NewJob[T any](id int, run func(context.Context, T) error, tags ...string) *Job[T] {
	type local struct{ n int }
	j := &Job[T]{ID: id, Run: run}
	name, ok := lookup(id)
	if !ok {
		name = defaultName
	}
	j.Options = &Options{Name: str.Join(append(tags, name), ",")}
	go func() { j.Locker.Lock() }()
	return j
}

// Do runs the job
// with its value.
func (j *Job[T]) Do(ctx context.Context, v T) (err error) {
	defer j.Unlock()
	if err := (j.Run)(ctx, v); err != nil {
		return fmt.Errorf("job %d: %w", j.ID, err)
	}
	return Map[int, string](nil, tagsOf(j)...)
}

func lookup(id int) (string, bool)

func (*Options) String() string { return "" }

// drain shows what binds local names.
func drain(jobs map[int]*Job[int], done chan error, v any) (left int, err error) {
	for id, j := range jobs {
		if n := id + j.ID; n > 0 {
			left += n
		}
	}
	switch x := v.(type) {
	case *Options:
		str.ToUpper(x.Name)
	case int, string:
		use(x)
	}
	select {
	case e := <-done:
		use(e)
	}
	each := func(j *Job[int], opts ...Options) { j.Do(nil, 0) }
	var first, second = lookup(left)
	return Map[int](first), use(each, second)
}

// hooks shows what is taken as a value: functions, methods, and names that may be either.
var hooks = map[string]any{"drain": drain, "do": (*Job[int]).Do, "name": defaultName, "map": Map[int, string]}

func (j *Job[T]) handlers(queue chan func(), o *Options) (func() string, string) {
	queue <- j.Unlock
	use(lookup, elsewhere, o.Name, j.Options.String, str.ToUpper)
	return o.String, o.Name
}
