package jit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// logSchema defines the table with the paths that each generation has changed (a generation is a
// transaction that changes rows), and the table with a snapshot of the files table (snapshot.go).
// Version log:
//
//	1: first
var logSchema = store.Schema{Name: "jit", Version: 1, SQL: `
CREATE TABLE IF NOT EXISTS changed_paths(
	generation INTEGER NOT NULL,
	path TEXT NOT NULL,
	PRIMARY KEY(generation, path)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS table_snapshot(
	id INTEGER PRIMARY KEY,
	generation INTEGER NOT NULL,
	data BLOB NOT NULL
);
`}

const (
	metaGeneration = "generation"
	metaLogFloor   = "log_floor"
	metaBuild      = "build"
	metaLastSync   = "last_sync"

	// maxLogged is the largest number of paths of one transaction that are logged. After a
	// transaction with more paths, other processes read the whole files table, which costs about
	// as much.
	maxLogged = 2000
)

// commit writes the findings, the results of inspecting files, in one transaction. It skips a
// finding whose file has changed since, and returns the paths of these files.
func (r *Root) commit(ctx context.Context, batch []finding, c *changes) (moved []string, err error) {
	r.commitMu.Lock()
	defer r.commitMu.Unlock()
	var pending []finding
	for _, f := range batch {
		switch f.state {
		case same:
			r.table.touch(f.path, f.row.Hash, f.row.Key, f.row.ReadAt)
			r.git.note(f.path)
			r.settled(f.path, c)
		case unverified:
			c.note(&c.unverified, f.path)
			r.suspect.add(f.path) // each report must name an unreadable file until it can be read
			r.settled(f.path, c)
		case moving:
			moved = append(moved, f.path)
		default:
			pending = append(pending, f)
		}
	}
	if len(pending) == 0 {
		return moved, nil
	}
	work := writing{root: r}
	err = r.db.Update(ctx, func(tx *store.Tx) error { return work.run(ctx, tx, pending) })
	if err == nil && !r.db.During(work.epoch, work.publish) {
		err = ErrReplaced
	}
	if err != nil {
		return moved, fmt.Errorf("index %d files: %w", len(pending), err)
	}
	r.unsaved.Add(int64(len(work.done)))
	var moves Moves
	for _, d := range work.done {
		switch {
		case d.untouched:
		case d.state == gone:
			c.note(&c.removed, d.path)
			moves.Removed = append(moves.Removed, r.absolute(d.path))
		case d.had:
			c.note(&c.modified, d.path)
			moves.Changed = append(moves.Changed, r.absolute(d.path))
		default:
			c.note(&c.added, d.path)
			moves.Created = append(moves.Created, r.absolute(d.path))
		}
		r.settled(d.path, c)
	}
	r.tell(moves)
	return append(moved, work.moved...), nil
}

// settled removes a file from r.pending, the files that are being indexed, and counts it as done
// by calling c.onCommit.
func (r *Root) settled(path string, c *changes) {
	r.pending.remove(path)
	if c.onCommit != nil {
		c.onCommit(1)
	}
}

// writing holds the state and the results of one transaction of commit.
type writing struct {
	root  *Root
	epoch store.Epoch // epoch of the database in which the transaction ran
	gen   int64       // the new generation if the transaction changes rows, otherwise 0
	alone bool        // no other process has written since the table was loaded
	done  []outcome
	moved []string
}

// outcome is the result of writing the rows of one inspected file.
type outcome struct {
	finding
	had       bool // the file already had a row
	untouched bool // the file's row did not change: it was equal already, or there was no row to remove
}

// run writes the findings of the batch. It skips those whose files have changed since.
func (w *writing) run(ctx context.Context, tx *store.Tx, batch []finding) error {
	w.epoch = tx.Epoch()
	gen, err := metaInt(ctx, &tx.View, metaGeneration)
	if err != nil {
		return err
	}
	w.alone = gen == w.root.table.generation()
	var touched []string
	for _, f := range batch {
		if !w.holds(&f) {
			w.moved = append(w.moved, f.path)
			continue
		}
		o, err := w.one(ctx, tx, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		o.writes = nil // the garbage collector can free the prepared rows
		w.done = append(w.done, o)
		if !o.untouched {
			touched = append(touched, f.path)
		}
	}
	if len(touched) == 0 {
		return nil
	}
	if w.gen = gen + 1; gen == 0 {
		// A new database must not repeat generation numbers of the previous one, or a
		// table that was loaded from the previous one would seem up to date.
		w.gen = w.root.opt.Clock().UnixNano()
	}
	if err := logChanges(ctx, tx, w.gen, touched); err != nil || gen > 0 {
		return err
	}
	return dropLog(ctx, tx, w.gen)
}

// one writes the rows of one inspected file.
func (w *writing) one(ctx context.Context, tx *store.Tx, f finding) (outcome, error) {
	out := outcome{finding: f}
	var row store.FileRow
	_, out.had = w.root.table.get(f.path)
	if out.had || !w.alone || f.state == gone {
		var err error
		if row, out.had, err = tx.File(ctx, f.path); err != nil {
			return out, err
		}
	}
	if f.state == gone {
		out.untouched = !out.had
		if !out.had {
			return out, nil
		}
		if err := w.clear(ctx, tx, row.ID); err != nil {
			return out, err
		}
		return out, tx.DeleteFile(ctx, row.ID)
	}
	if out.had && row.Hash == f.row.Hash && row.Skip == f.row.Skip {
		out.untouched = true
		return out, tx.PutKey(ctx, row.ID, f.row.Key, f.row.ReadAt)
	}
	id, err := tx.PutFile(ctx, f.row)
	if err != nil {
		return out, err
	}
	if f.row.Skip != "" && out.had {
		return out, w.clear(ctx, tx, id)
	}
	for _, write := range f.writes {
		if err := write(ctx, tx, id); err != nil {
			return out, err
		}
	}
	return out, nil
}

// clear removes the rows for a file from the tables of all tiers, such as the word index.
func (w *writing) clear(ctx context.Context, tx *store.Tx, id int64) error {
	for _, tier := range w.root.opt.Tiers {
		if err := tier.Delete(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// publish copies the committed rows to the table in memory.
func (w *writing) publish() {
	t := w.root.table
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range w.done {
		f := &w.done[i].finding
		w.root.noteRow(f.path, f.state != gone && f.row.Skip == "")
		if f.state == gone {
			t.remove(f.path)
		} else {
			t.put(f.path, knownOf(&f.row))
		}
	}
	if w.alone && w.gen > 0 {
		t.gen = w.gen
	}
}

// knownOf returns the entry of the table in memory for a row of the database.
func knownOf(row *store.FileRow) known {
	return known{key: row.Key, readAt: row.ReadAt, hash: row.Hash, skip: workspace.SkipReason(row.Skip)}
}

// holds reports whether the finding still agrees with the file on disk, judged by the file's stat
// data.
func (w *writing) holds(f *finding) bool {
	entry, err := w.root.disk.stat(f.path)
	if f.state == gone {
		return isGone(err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return f.row.Skip == string(workspace.SkipUnreadable)
	}
	if err != nil || entry.Key != f.row.Key {
		return false
	}
	// stat does not find the reasons to skip a file that depend on its bytes.
	skip := string(entry.Skip)
	return skip == f.row.Skip || skip == "" && contentSkip(workspace.SkipReason(f.row.Skip))
}

// contentSkip reports whether s is a reason to skip a file that is found only by opening the file.
func contentSkip(s workspace.SkipReason) bool {
	return ofText(s) || s == workspace.SkipUnreadable || s == workspace.SkipTooLarge
}

// ofText reports whether s is a reason to skip a file that depends on the bytes of the file.
func ofText(s workspace.SkipReason) bool {
	return s == workspace.SkipBinary || s == workspace.SkipLFSPointer
}

// logChanges sets the generation to gen and logs the changed paths.
func logChanges(ctx context.Context, tx *store.Tx, gen int64, paths []string) error {
	if err := tx.SetMeta(ctx, metaGeneration, strconv.FormatInt(gen, 10)); err != nil {
		return err
	}
	if len(paths) > maxLogged {
		return dropLog(ctx, tx, gen)
	}
	for _, p := range paths {
		if _, err := tx.Exec(ctx, "INSERT OR IGNORE INTO changed_paths(generation, path) VALUES(?,?)", gen,
			p); err != nil {
			return err
		}
	}
	return nil
}

// dropLog deletes the log up to gen. A process whose table is older than gen then reads the whole
// files table.
func dropLog(ctx context.Context, tx *store.Tx, gen int64) error {
	if err := tx.SetMeta(ctx, metaLogFloor, strconv.FormatInt(gen, 10)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM changed_paths WHERE generation<=?", gen)
	return err
}

// metaInt returns a number in the table meta, 0 if it is not set.
func metaInt(ctx context.Context, v *store.View, key string) (int64, error) {
	s, err := v.Meta(ctx, key)
	if err != nil || s == "" {
		return 0, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("meta %s: %w", key, err)
	}
	return n, nil
}

// refresh updates the table in memory if another process has written to the
// database.
func (r *Root) refresh(ctx context.Context) error {
	r.commitMu.Lock()
	defer r.commitMu.Unlock()
	return r.db.View(ctx, func(v *store.View) error {
		gen, err := metaInt(ctx, v, metaGeneration)
		have := r.table.generation()
		if err != nil || gen == have {
			return err
		}
		floor, err := metaInt(ctx, v, metaLogFloor)
		if err != nil {
			return err
		}
		if have < floor || have < 0 || have > gen {
			t, err := loadSnapshot(ctx, v, floor, gen)
			if err != nil {
				return err
			}
			if t == nil {
				return r.load(ctx, v, gen)
			}
			if err := r.show(ctx, v, t); err != nil {
				return err
			}
			have = t.gen
		}
		return r.catchUp(ctx, v, have, gen)
	})
}

// load reads the whole table from the database.
func (r *Root) load(ctx context.Context, v *store.View, gen int64) error {
	t := newTable()
	t.gen = gen
	err := v.Files(ctx, func(row store.FileRow) error {
		t.put(row.Path, knownOf(&row))
		return nil
	})
	if err != nil {
		return fmt.Errorf("load files: %w", err)
	}
	r.unsaved.Store(int64(t.count)) // there was no usable snapshot
	return r.show(ctx, v, t)
}

// show replaces the table in memory by t, which was read from v. It returns ErrReplaced if the
// database of v is no longer in use.
func (r *Root) show(ctx context.Context, v *store.View, t *table) error {
	services, err := v.Meta(ctx, metaServices)
	if err != nil {
		return fmt.Errorf("load services: %w", err)
	}
	if !r.db.During(v.Epoch(), func() { r.replaceTable(t); r.services.offer(services) }) {
		return ErrReplaced
	}
	return nil
}

// replaceTable replaces the table in memory, and marks all results derived from it as outdated.
func (r *Root) replaceTable(t *table) {
	r.table.replace(t)
	r.git.forget()
	r.services.forget()
}

// catchUp brings the table in memory from one generation (have) to a later one (gen). It reads the
// rows of the paths that the log has for the generations in between.
func (r *Root) catchUp(ctx context.Context, v *store.View, have, gen int64) error {
	paths, err := changedSince(ctx, v, have)
	if err != nil {
		return err
	}
	r.unsaved.Add(int64(len(paths)))
	found := make(map[string]known, len(paths))
	for _, p := range paths {
		row, ok, err := v.File(ctx, p)
		if err != nil {
			return err
		}
		if ok {
			found[p] = knownOf(&row)
		}
	}
	var moves Moves
	held := r.db.During(v.Epoch(), func() {
		t := r.table
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, p := range paths {
			k, ok := found[p]
			r.noteRow(p, ok && k.skip == "")
			if ok {
				t.put(p, k)
				moves.Changed = append(moves.Changed, r.absolute(p))
			} else {
				t.remove(p)
				moves.Removed = append(moves.Removed, r.absolute(p))
			}
		}
		t.gen = gen
	})
	if !held {
		return ErrReplaced
	}
	r.tell(moves)
	return nil
}

// tell calls Options.Moved with the changed files.
func (r *Root) tell(m Moves) {
	if r.opt.Moved != nil && len(m.Created)+len(m.Changed)+len(m.Removed) > 0 {
		r.opt.Moved(m)
	}
}

// absolute returns the absolute path for a path relative to the root.
func (r *Root) absolute(path string) string {
	return filepath.Join(r.path, filepath.FromSlash(path))
}

// flushTouched stores the new stat keys of files whose bytes did not change.
// Other and later processes then need not hash these files again. It is an
// optimisation only.
func (r *Root) flushTouched(ctx context.Context) error {
	touched := r.table.takeTouched()
	if len(touched) == 0 {
		return nil
	}
	r.unsaved.Add(int64(len(touched)))
	return r.db.Update(ctx, func(tx *store.Tx) error {
		for p, k := range touched {
			row, ok, err := tx.File(ctx, p)
			if err != nil {
				return err
			}
			if !ok || row.Hash != k.hash || row.Skip != string(k.skip) || row.ReadAt >= k.readAt ||
				k.key == (code.StatKey{}) {
				continue
			}
			if err := tx.PutKey(ctx, row.ID, k.key, k.readAt); err != nil {
				return err
			}
		}
		return nil
	})
}
