package jit

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"sextant/internal/program"
	"sextant/internal/store"
)

// storedServices are the services of a root as the database keeps them for the next process. They are valid for one
// program, one set of indexed paths, and one content of each file that the search for them read.
type storedServices struct {
	Program string
	Paths   string   // digest of the indexed paths
	Read    []string // paths of the files that were read
	Texts   string   // digest of the paths and hashes of these files
	List    []Service
}

// metaServices is the meta key of the storedServices, as JSON.
const metaServices = "jit_services"

// storedSearch is the shortest search whose services are stored. With 102,411 files and 1,900 services, a search
// takes 3.6 s.
var storedSearch = 50 * time.Millisecond // modified by tests

// findServices returns the services of the files in the table: the stored ones if they are still valid, else those
// that a search finds, which it stores.
func (r *Root) findServices() []Service {
	files := r.table.indexed()
	paths := digestOf(files, func(string) (known, bool) { return known{}, true })
	s := &r.services
	s.staleMu.Lock()
	text := s.stored
	s.stored = ""
	s.staleMu.Unlock()
	var kept storedServices
	if text != "" && json.Unmarshal([]byte(text), &kept) == nil && kept.Program == program.ID() &&
		kept.Paths == paths && kept.Texts == digestOf(kept.Read, r.table.get) {
		return kept.List
	}
	began := time.Now()
	found := storedServices{Program: program.ID(), Paths: paths}
	certain := found.Program != ""
	found.List = r.disk.Services(files, func(p string, text []byte) {
		certain = certain && r.isIndexed(p, text)
		found.Read = append(found.Read, p)
	})
	if certain && time.Since(began) >= storedSearch {
		slices.Sort(found.Read)
		found.Read = slices.Compact(found.Read)
		found.Texts = digestOf(found.Read, r.table.get)
		r.storeServices(&found)
	}
	return found.List
}

// isIndexed reports whether text is that of the indexed file at path. A file may have changed since it was indexed.
func (r *Root) isIndexed(path string, text []byte) bool {
	row, ok := r.table.get(path)
	switch {
	case !ok || row.skip != "":
		return false
	case store.HashText(text) == row.hash:
		return true
	}
	_, same, err := r.disk.readAs(path, row.hash) // the index may have the hash of the unmasked text
	return err == nil && same
}

// storeServices stores services in the background. A failure does no harm: the next process searches again.
func (r *Root) storeServices(found *storedServices) {
	text, err := json.Marshal(found)
	if err != nil {
		return
	}
	r.group.Go(func(context.Context) {
		ctx := context.Background() // a write of some milliseconds is not given up if the root is closed
		_ = r.Keep(ctx, func(tx *Tx) error { return tx.SetMeta(ctx, metaServices, string(text)) })
	})
}

// digestOf returns a digest of paths and the hashes of their files. It returns "" if get does not know a path.
func digestOf(paths []string, get func(path string) (known, bool)) string {
	var sum digest
	for _, p := range paths {
		row, ok := get(p)
		if !ok {
			return ""
		}
		sum.add(p, row.hash)
	}
	return sum.String()
}
