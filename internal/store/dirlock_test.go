package store

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"
)

// TestWaitForTheFolderEnds checks that a use of a database which another process is about to open or to copy ends
// with its context, and that other uses and Close need not wait for it.
func TestWaitForTheFolderEnds(t *testing.T) {
	dir := t.TempDir()
	k, err := Keep(t.Context(), KeeperOptions{Options: Options{Dir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	held, err := lockFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(k.path()); err != nil { // so that the next use opens it anew
		t.Fatal(err)
	}
	patient, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	others.Go(func() {
		if err := k.View(patient, func(*View) error { return nil }); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the patient one: %v", err)
		}
	})
	brief, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	for name, use := range map[string]func() error{
		"View":   func() error { return k.View(brief, func(*View) error { return nil }) },
		"Update": func() error { return k.Update(brief, func(*Tx) error { return nil }) },
		"Remove": func() error { return k.Remove(brief) },
		"Keep":   func() error { _, err := Keep(brief, k.opt); return err },
		"Seed":   func() error { return Seed(brief, t.TempDir(), k.opt.Options, nil) },
	} {
		if err := use(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cancel()
	others.Wait()
	if err := errors.Join(held.Close(), k.View(t.Context(), func(*View) error { return nil }), k.Close()); err != nil {
		t.Errorf("when the folder is free: %v", err)
	}
}
