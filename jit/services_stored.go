package jit

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"sextant/internal/code"
	"sextant/internal/program"
	"sextant/internal/store"
)

// storedServices are the services of a root as the database keeps them for the next process. They are valid for one
// program, one name of the root's directory, one set of indexed paths, and one content of each file that the search
// for them read. The directory has another name where the database is a copy of that of another checkout.
type storedServices struct {
	Program string
	Name    string   // name of the root's directory, by which a service at the top may be called
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

// find returns the services of the files in the table: the stored ones if they are still valid, else those
// that a search finds, which it stores.
func (s *serviceView) find() []Service {
	r := s.root
	files := r.table.indexed()
	var paths digest
	for _, p := range files {
		paths.add(p, code.Hash{})
	}
	name := filepath.Base(r.path)
	if kept, ok := s.takeStored(); ok && kept.Name == name && kept.Paths == paths.String() &&
		kept.Texts == r.table.textsOf(kept.Read) && kept.Program == program.ID() {
		return kept.List
	}
	began := time.Now()
	var texts digest
	read, certain := map[string]bool{}, true
	list := r.disk.Services(files, func(p string, text []byte) {
		if certain && !read[p] {
			var hash code.Hash
			hash, certain = s.indexedAs(p, text)
			texts.add(p, hash) // not after the search, when the table may have a later text
			read[p] = true
		}
	})
	if certain && time.Since(began) >= storedSearch {
		s.store(&storedServices{Name: name, Paths: paths.String(), Texts: texts.String(), List: list,
			Read: slices.Sorted(maps.Keys(read))})
	}
	return list
}

// textsOf returns the digest of the paths and hashes of files; "" if one of them is not indexed.
func (t *table) textsOf(files []string) string {
	var texts digest
	for _, p := range files {
		row, ok := t.get(p)
		if !ok || row.skip != "" {
			return ""
		}
		texts.add(p, row.hash)
	}
	return texts.String()
}

// indexedAs returns the hash that the index has of the file at path, and reports whether text has it. A file may have
// changed since it was indexed.
func (s *serviceView) indexedAs(path string, text []byte) (code.Hash, bool) {
	row, ok := s.root.table.get(path)
	if !ok || row.skip != "" {
		return row.hash, false
	}
	if store.HashText(text) == row.hash {
		return row.hash, true
	}
	_, same, err := s.root.disk.readAs(path, row.hash) // the index may have the hash of the unmasked text
	return row.hash, err == nil && same
}

// store stores services in the background, the latest ones last. A failure does no harm: the next process
// searches again.
func (s *serviceView) store(found *storedServices) {
	s.staleMu.Lock()
	s.latest = found
	s.staleMu.Unlock()
	s.root.group.Go(func(context.Context) {
		s.storing.Lock()
		defer s.storing.Unlock()
		s.staleMu.Lock()
		latest := s.latest
		s.latest = nil
		s.staleMu.Unlock()
		if latest == nil {
			return // an earlier call has stored them
		}
		if latest.Program = program.ID(); latest.Program == "" {
			return
		}
		text, err := json.Marshal(latest)
		if err != nil {
			return
		}
		ctx := context.Background() // a write of some milliseconds is not given up if the root is closed
		_ = s.root.Keep(ctx, func(tx *Tx) error { return tx.SetMeta(ctx, metaServices, string(text)) })
	})
}

// takeStored returns the stored services that the database had when the table was loaded, once; false if there are
// none.
func (s *serviceView) takeStored() (kept storedServices, ok bool) {
	s.staleMu.Lock()
	text := s.stored
	s.stored = ""
	s.staleMu.Unlock()
	ok = text != "" && json.Unmarshal([]byte(text), &kept) == nil
	return kept, ok
}
