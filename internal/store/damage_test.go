package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// damageRounds is the number of databases to damage, each in a random way;
// soakedRounds if SEXTANT_SOAK is set.
const damageRounds, soakedRounds = 40, 500

// vandal damages files in random ways.
type vandal struct{ *rand.Rand }

// ruin damages a file in one of the ways that disks and programs do.
func (r vandal) ruin(t *testing.T, path string) (how string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pages := len(text) / pageBytes
	page := func() []byte { n := r.IntN(pages); return text[n*pageBytes : (n+1)*pageBytes] }
	switch r.IntN(6) {
	case 0:
		how = "a page of noise"
		for p, i := page(), 0; i < len(p); i++ {
			p[i] = byte(r.Uint32())
		}
	case 1:
		how = "a page of zeros"
		clear(page())
	case 2:
		how = "a bit"
		text[r.IntN(len(text))] ^= 1 << r.IntN(8)
	case 3:
		how = "a page in another's place"
		copy(page(), page())
	case 4:
		how = "a shorter file"
		text = text[:r.IntN(len(text))]
	default:
		how = "some bytes"
		at := r.IntN(len(text) - 100)
		for i := range 1 + r.IntN(100) {
			text[at+i] = byte(r.Uint32())
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return how
}

// contents returns every row of a database with the schema notes.
func contents(ctx context.Context, k *Keeper) (all string, err error) {
	var b bytes.Buffer
	err = k.View(ctx, func(v *View) error {
		rows, err := v.Query(ctx, "SELECT f.path, n.text FROM files f JOIN notes n ON n.file_id=f.id ORDER BY f.path")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var path, text string
			if err := rows.Scan(&path, &text); err != nil {
				return err
			}
			fmt.Fprintln(&b, path, text)
		}
		return rows.Err()
	})
	return b.String(), err
}

// fillNotes writes rows that take several pages, one page, and less than a
// page.
func fillNotes(t *testing.T, k *Keeper) {
	t.Helper()
	err := k.Update(t.Context(), func(tx *Tx) error {
		for i := range 120 {
			id, err := tx.PutFile(t.Context(), FileRow{Path: fmt.Sprintf("dir%d/file%d.go", i%7, i)})
			if err == nil {
				_, err = tx.Exec(t.Context(), "INSERT INTO notes(file_id, text) VALUES(?,?)", id,
					fmt.Sprintf("%0*d", i*i, i))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A damaged database is never read as if it were intact: the Keeper sets it
// aside and creates an empty one.
func TestSoakDamageIsFoundAndHealed(t *testing.T) {
	opt := KeeperOptions{Options: Options{Dir: t.TempDir(), Schemas: []Schema{notes}}}
	keep := func() *Keeper {
		t.Helper()
		k, err := Keep(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	k := keep()
	fillNotes(t, k)
	want, err := contents(t.Context(), k)
	if err = errors.Join(err, k.Close()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(k.path())
	if err != nil {
		t.Fatal(err)
	}
	r := vandal{rand.New(rand.NewPCG(1, 2))}
	healed, rounds := 0, damageRounds
	if os.Getenv("SEXTANT_SOAK") != "" {
		rounds = soakedRounds
	}
	for round := range rounds {
		opt.Dir = t.TempDir()
		path := filepath.Join(opt.Dir, FileName(opt.Schemas))
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		how := r.ruin(t, path)
		k := keep()
		got, err := contents(t.Context(), k)
		if errors.Is(err, ErrReplaced) {
			got, err = contents(t.Context(), k)
		}
		_, asideErr := os.Stat(filepath.Join(opt.Dir, damagedName))
		switch {
		case err != nil:
			t.Errorf("round %d, %s: %v", round, how, err)
		case got == want: // nothing reads the damaged part
		// An empty file is no database, so it is not set aside.
		case got != "" || asideErr != nil && how != "a shorter file":
			t.Errorf("round %d, %s: other rows are read, and nothing is set aside (%v)", round, how, asideErr)
		default:
			healed++
			fillNotes(t, k)
			if got, err := contents(t.Context(), k); err != nil || got != want {
				t.Errorf("round %d, %s: after it was made anew: %v", round, how, err)
			}
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d of %d databases were damaged where they are read, and made anew", healed, rounds)
	if healed < rounds/2 {
		t.Error("that is too few for a test")
	}
}

// A database that is damaged again within ten minutes is kept, and its use
// returns a DamagedError. Later it is replaced.
func TestDamageThatComesBack(t *testing.T) {
	now := time.Now()
	dir := t.TempDir()
	k, err := Keep(t.Context(), KeeperOptions{Options: Options{Dir: dir, Schemas: []Schema{notes}},
		Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	spoilt := fmt.Errorf("a row: %w", errDamaged)
	spoil := func() error { return k.View(t.Context(), func(*View) error { return spoilt }) }
	if err := spoil(); !errors.Is(err, ErrReplaced) {
		t.Fatalf("the first time: %v", err)
	}
	if !k.Healing() {
		t.Error("it is not said that the database is new because the last one was damaged")
	}
	var again *DamagedError
	if err := spoil(); !errors.As(err, &again) || errors.Is(err, ErrReplaced) {
		t.Fatalf("the second time: %v", err)
	}
	if _, err := contents(t.Context(), k); err != nil {
		t.Errorf("what can still be read: %v", err)
	}
	now = now.Add(healEvery)
	if err := spoil(); !errors.Is(err, ErrReplaced) {
		t.Errorf("ten minutes later: %v", err)
	}
	now = now.Add(-1000 * time.Hour) // the clock was wrong, and is set back
	if k.Healing() {
		t.Error("a database set aside in the future counts as one of the last ten minutes")
	}
	if err := spoil(); !errors.Is(err, ErrReplaced) {
		t.Errorf("after the clock was set back: %v", err)
	}
}

// Errors that are not the file's fault leave the file alone.
func TestOtherErrorsHealNothing(t *testing.T) {
	dir := t.TempDir()
	k, err := Keep(t.Context(), KeeperOptions{Options: Options{Dir: dir, Schemas: []Schema{notes}}})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	fillNotes(t, k)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := contents(ctx, k); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that went: %v", err)
	}
	err = k.View(t.Context(), func(*View) error { return io.ErrUnexpectedEOF })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	err = k.View(t.Context(), func(v *View) error {
		_, err := v.Query(t.Context(), "SELECT nothing FROM nowhere")
		return err
	})
	if err == nil || errors.Is(err, ErrReplaced) {
		t.Errorf("a wrong query: %v", err)
	}
	if got, err := contents(t.Context(), k); err != nil || got == "" {
		t.Errorf("the rows are gone: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, damagedName)); err == nil {
		t.Error("a sound database was set aside")
	}
}

// A damaged or removed catalog is rebuilt with the same roots, without the
// deleted ones.
func TestCatalogIsMadeAnew(t *testing.T) {
	home := t.TempDir()
	c, err := OpenCatalog(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, p := range []string{"/ws", "/ws/a", "/gone"} {
		if err := c.Put(t.Context(), Root{Path: p, Policy: "policy of " + p,
			CreatedAt: time.UnixMilli(7)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Delete(t.Context(), "/gone"); err != nil {
		t.Fatal(err)
	}
	want, err := c.Roots(t.Context())
	if err != nil || len(want) != 2 {
		t.Fatal(want, err)
	}
	for what, harm := range map[string]func(path string) error{
		"damaged": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("noise"), 2000), 0o600) },
		"removed": os.Remove,
	} {
		if err := harm(c.db.path()); err != nil {
			t.Fatal(err)
		}
		other, err := OpenCatalog(t.Context(), home, nil)
		if err != nil {
			t.Fatal(what, err)
		}
		for who, c := range map[string]*Catalog{"the next process": other, "one that had it open": c} {
			if got, err := c.Roots(t.Context()); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %s reads %v, %v; want %v", what, who, got, err, want)
			}
		}
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFullDiskIsNamed checks that the error of an update without room on the disk says which disk
// is full and what to do. SQLite reports a limit of pages like a full disk.
func TestFullDiskIsNamed(t *testing.T) {
	dir := t.TempDir()
	db := openTest(t, dir)
	err := db.Update(t.Context(), func(tx *Tx) error {
		if _, err := tx.Exec(t.Context(), "PRAGMA max_page_count=1"); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), "INSERT INTO notes VALUES(1, ?)", strings.Repeat("x", 1<<20))
		return err
	})
	if want := "the disk of " + dir + " is full; make room there, then repeat: "; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
}
