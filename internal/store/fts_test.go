package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMergeFTS checks that calls of MergeFTS join the segments that many commits leave into one, with the same
// answers, and that after a few more edits they do not merge all of it again.
func TestMergeFTS(t *testing.T) {
	db, err := Open(t.Context(), Options{Dir: t.TempDir(), Schemas: []Schema{{Name: "t", Version: 1, SQL: `
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(body, content='', contentless_delete=1, detail=none);
INSERT INTO words(words, rank) VALUES('automerge', 0);
INSERT INTO words(words, rank) VALUES('pgsz', 128);`}}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	random := rand.New(rand.NewPCG(1, 2))
	ctx := t.Context()
	update := func(fn func(tx *Tx) error) {
		t.Helper()
		if err := db.Update(ctx, fn); err != nil {
			t.Fatal(err)
		}
	}
	insert := func(commits int) {
		t.Helper()
		for range commits {
			update(func(tx *Tx) error { return insertWords(ctx, tx, random) })
		}
	}
	segments := func() (n int) {
		t.Helper()
		update(func(tx *Tx) error {
			_, err := tx.QueryRow(ctx, "SELECT count(DISTINCT segid) FROM words_idx", nil, &n)
			return err
		})
		return n
	}
	matches := func() (ids []int64) {
		t.Helper()
		update(func(tx *Tx) (err error) {
			ids, err = Column[int64](ctx, &tx.View, "SELECT rowid FROM words WHERE words MATCH 'w7'")
			return err
		})
		return ids
	}
	merge := func() (steps int) {
		t.Helper()
		for more := true; more; steps++ {
			update(func(tx *Tx) (err error) {
				more, err = MergeFTS(ctx, tx, "words", 4)
				return err
			})
			if steps > 1000 {
				t.Fatal("the merge does not end")
			}
		}
		return steps
	}
	insert(40)
	update(func(tx *Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM words WHERE rowid % 5 = 0")
		return err
	})
	before, found := segments(), matches()
	if before <= ftsSegments || len(found) == 0 {
		t.Fatalf("%d segments, %d matches", before, len(found))
	}
	steps := merge()
	if after := segments(); after > 2 || steps < 3 {
		t.Errorf("%d segments after %d steps, %d before", after, steps, before)
	}
	if again := matches(); !slices.Equal(again, found) {
		t.Errorf("matches %v, before %v", again, found)
	}
	insert(2)
	if steps := merge(); steps > 1 {
		t.Errorf("two commits took %d steps", steps)
	}
}

// insertWords adds 20 documents of 20 words.
func insertWords(ctx context.Context, tx *Tx, random *rand.Rand) error {
	for range 20 {
		body := ""
		for range 20 {
			body += fmt.Sprintf("w%d ", random.IntN(500))
		}
		if _, err := tx.Exec(ctx, "INSERT INTO words(body) VALUES(?)", body); err != nil {
			return err
		}
	}
	return nil
}
