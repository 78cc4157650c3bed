package jit

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

const (
	// batchRows is the number of rows in a transaction. With fewer, the commits
	// cost more than the rows; with more, other processes wait long to write.
	batchRows = 5000
	// batchBytes is the largest number of bytes of text in one transaction.
	batchBytes = 4 << 20
	// batchWait is the longest time that prepared files wait for a full batch: one slow file may
	// take a minute, and files that are not committed are lost if the process ends.
	batchWait = time.Second
	// flightBytes is the largest number of bytes of text that have been read and not yet
	// committed. The rows prepared from a text take some three times its size.
	flightBytes = 16 << 20
	// commitRounds is the largest number of times that a file is read again because it changed
	// between reading and commit.
	commitRounds = 3
)

// changes collects the results of indexing a set of files. It is safe for
// concurrent use.
type changes struct {
	mu                       sync.Mutex
	added, modified, removed []string        // guarded by mu
	unverified               []string        // guarded by mu
	onCommit                 func(files int) // called with the number of files done; may be nil
}

// note appends path to a list of c.
func (c *changes) note(list *[]string, path string) {
	c.mu.Lock()
	*list = append(*list, path)
	c.mu.Unlock()
}

// into copies the results so far to rep, with sorted paths.
func (c *changes) into(rep *Report) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sorted := func(list []string) []string {
		list = slices.Clone(list)
		slices.Sort(list)
		return slices.Compact(list)
	}
	rep.Added, rep.Modified, rep.Removed = sorted(c.added), sorted(c.modified), sorted(c.removed)
	rep.Unverified = sorted(append(c.unverified, rep.Unverified...))
	rep.FilesReindexed = len(rep.Added) + len(rep.Modified) + len(rep.Removed)
}

// update reindexes those of the given files that are stale, and adds the
// results to c. It stops early only if ctx is done or the database fails.
func (r *Root) update(ctx context.Context, paths []string, c *changes) error {
	for round := 0; len(paths) > 0; round++ {
		if round == commitRounds {
			for _, p := range paths {
				c.note(&c.unverified, p)
			}
			r.suspect.add(paths...)
			return nil
		}
		again, err := r.updateOnce(ctx, paths, c)
		if err != nil {
			return err
		}
		paths = again
	}
	return nil
}

// updateOnce reads and prepares files in parallel and commits them in batches. It returns the files
// that changed between reading and commit.
func (r *Root) updateOnce(ctx context.Context, paths []string, c *changes) (again []string, err error) {
	if len(paths) == 1 { // a single file, as after a typical edit, needs no pipeline
		f := r.inspect.file(ctx, paths[0])
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return r.commit(ctx, []finding{f}, c)
	}
	group, ctx := errgroup.WithContext(ctx)
	pipe := pipeline{root: r, budget: semaphore.NewWeighted(flightBytes), starved: make(chan struct{}, 1),
		work: make(chan string), found: make(chan finding, r.opt.Workers)}
	group.Go(func() error {
		defer close(pipe.work)
		for _, path := range paths {
			select {
			case pipe.work <- path:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	var readers sync.WaitGroup
	for range min(r.opt.Workers, len(paths)) {
		readers.Add(1)
		group.Go(func() error {
			defer readers.Done()
			return pipe.read(ctx)
		})
	}
	group.Go(func() error {
		readers.Wait()
		close(pipe.found)
		return nil
	})
	group.Go(func() (err error) {
		again, err = pipe.write(ctx, c)
		return err
	})
	return again, group.Wait()
}

// pipeline is the state of one call of updateOnce: readers inspect files in
// parallel, and one writer commits the findings.
type pipeline struct {
	root    *Root
	budget  *semaphore.Weighted // limits the bytes of text between reading and commit
	waiting atomic.Int32        // number of readers that wait for the budget
	starved chan struct{}       // capacity 1; signals that one more reader waits
	work    chan string         // paths to read; the sender closes it
	found   chan finding        // capacity: one finding per reader; closed after all readers have ended
}

// read reads and prepares files until work is closed.
func (p *pipeline) read(ctx context.Context) error {
	for path := range p.work {
		held := int64(1)
		if e, err := p.root.disk.stat(path); err == nil {
			held = min(max(e.Key.Size, 1), flightBytes)
		}
		if err := p.acquire(ctx, held); err != nil {
			return err
		}
		f := p.root.inspect.file(ctx, path)
		if err := ctx.Err(); err != nil {
			return err
		}
		f.held = held
		select {
		case p.found <- f:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// acquire waits until a text of that many bytes fits the budget. The writer may hold the budget for
// a batch that is not full yet; it commits that batch at once while a reader waits.
func (p *pipeline) acquire(ctx context.Context, bytes int64) error {
	if p.budget.TryAcquire(bytes) {
		return nil
	}
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	select {
	case p.starved <- struct{}{}:
	default:
	}
	return p.budget.Acquire(ctx, bytes)
}

// write commits the findings in batches. It returns the files that changed between reading and
// commit.
func (p *pipeline) write(ctx context.Context, c *changes) (again []string, err error) {
	var batch []finding
	var rows int
	var bytes int64
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		moved, err := p.root.commit(ctx, batch, c)
		again = append(again, moved...)
		p.budget.Release(bytes)
		batch, rows, bytes = nil, 0, 0
		return err
	}
	tick := time.NewTicker(batchWait)
	defer tick.Stop()
	for {
		select {
		case f, ok := <-p.found:
			if !ok {
				return again, flush()
			}
			batch = append(batch, f)
			rows += f.weight
			bytes += f.held
			if rows < batchRows && bytes < batchBytes && p.waiting.Load() == 0 {
				continue
			}
		case <-p.starved:
		case <-tick.C:
		case <-ctx.Done():
			return again, ctx.Err()
		}
		if err := flush(); err != nil {
			return again, err
		}
	}
}
