package jit

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

const (
	// batchRows is the size of a transaction: below it the commits cost more
	// than the rows, above it readers of other processes' commits wait.
	batchRows = 5000
	// batchBytes bounds the texts that one transaction holds.
	batchBytes = 4 << 20
	// flightBytes bounds the texts between reading and commit. What the tiers
	// prepare from a text is some three times its size.
	flightBytes = 16 << 20
	// commitRounds is how often a file is looked at again that moved between
	// reading and commit.
	commitRounds = 3
)

// changes collects what became of a set of files. Safe for concurrent use.
type changes struct {
	mu                       sync.Mutex
	added, modified, removed []string // guarded by mu
	unverified               []string // guarded by mu
	onCommit                 func(files int)
}

func (c *changes) note(list *[]string, path string) {
	c.mu.Lock()
	*list = append(*list, path)
	c.mu.Unlock()
}

// into copies what was collected so far into rep.
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

// update reindexes those of the given files that are stale, and collects what
// it did in c. It ends early only with the context or with a broken database.
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

// updateOnce reads and prepares in parallel, and commits in batches. It
// returns the files that moved meanwhile.
func (r *Root) updateOnce(ctx context.Context, paths []string, c *changes) (again []string, err error) {
	if len(paths) == 1 { // the usual edit: no need for a pipeline
		return r.commit(ctx, []finding{r.inspect(paths[0])}, c)
	}
	g, ctx := errgroup.WithContext(ctx)
	p := pipeline{root: r, budget: semaphore.NewWeighted(flightBytes), starved: make(chan struct{}, 1),
		work: make(chan string), found: make(chan finding, r.opt.Workers)}
	g.Go(func() error {
		defer close(p.work)
		for _, path := range paths {
			select {
			case p.work <- path:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	var readers sync.WaitGroup
	for range min(r.opt.Workers, len(paths)) {
		readers.Add(1)
		g.Go(func() error {
			defer readers.Done()
			return p.read(ctx)
		})
	}
	g.Go(func() error {
		readers.Wait()
		close(p.found)
		return nil
	})
	g.Go(func() (err error) {
		again, err = p.write(ctx, c)
		return err
	})
	return again, g.Wait()
}

// pipeline is one pass of updateOnce.
type pipeline struct {
	root    *Root
	budget  *semaphore.Weighted // bytes of text between read and commit
	waiting atomic.Int32        // readers that wait for budget
	starved chan struct{}       // capacity 1: one more waits
	work    chan string         // closed by its sender
	found   chan finding        // capacity: one per reader; closed when all have ended
}

func (p *pipeline) read(ctx context.Context) error {
	for path := range p.work {
		held := int64(1)
		if e, err := p.root.disk.stat(path); err == nil {
			held = min(max(e.Key.Size, 1), flightBytes)
		}
		if err := p.acquire(ctx, held); err != nil {
			return err
		}
		f := p.root.inspect(path)
		f.held = held
		select {
		case p.found <- f:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// acquire waits for budget. What holds it may lie in the writer's batch, or come
// there: the writer commits at once as long as somebody waits.
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
		case <-ctx.Done():
			return again, ctx.Err()
		}
		if err := flush(); err != nil {
			return again, err
		}
	}
}
