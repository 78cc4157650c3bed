package store

import (
	"crypto/rand"
	"os"
	"sync"
	"testing"
)

// Views that overlap without a gap do not let the WAL grow without bound.
func TestLogStaysShortUnderReaders(t *testing.T) {
	db := openTest(t, t.TempDir())
	const bound, written = 1 << 20, 24 << 20
	db.longLog, db.foldAt = bound, bound
	done := make(chan struct{})
	began := []chan struct{}{make(chan struct{}, 1), make(chan struct{}, 1)}
	var readers sync.WaitGroup
	for i := range began {
		readers.Go(func() {
			if i == 1 {
				<-began[0]
			}
			for reading := true; reading; { // until told to stop, or the other has begun its next view
				err := db.View(t.Context(), func(v *View) error {
					var n int
					_, err := v.QueryRow(t.Context(), "SELECT count(*) FROM notes", nil, &n)
					began[i] <- struct{}{}
					select {
					case <-began[1-i]:
					case <-done:
						reading = false
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	var longest int64
	text := make([]byte, bound/2)
	for id := range int64(written / len(text)) {
		rand.Read(text)
		err := db.Update(t.Context(), func(tx *Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO notes(file_id, text) VALUES(?, ?)", id, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(db.path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, info.Size())
	}
	close(done)
	readers.Wait()
	if longest > 4*bound {
		t.Errorf("the log grew to %d bytes, more than %d", longest, 4*bound)
	}
}
