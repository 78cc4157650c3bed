package vector

import (
	"fmt"
	"os"
	"slices"

	"sextant/internal/mapped"
)

// spill is an unnamed file for vectors that are not in memory. A nil spill accepts no data.
type spill struct {
	file *os.File
	size int64
	full bool // whether a write has failed, so that no more are tried
}

// newSpill creates a file in dir, or returns nil if it cannot.
func newSpill(dir string) *spill {
	f, err := mapped.Unnamed(dir)
	if err != nil {
		return nil
	}
	return &spill{file: f}
}

func (s *spill) close() {
	if s != nil {
		s.file.Close()
	}
}

// append writes the records at the end of c that are not in the file yet to the file, as one
// extent. size is the number of bytes of one record. It returns false if the records must stay in
// memory, because they do not fill an extent or the file cannot take them.
func (s *spill) append(c *cell, size int) bool {
	if s == nil || s.full || len(c.tail) != extentRecords*size {
		return false
	}
	if _, err := s.file.WriteAt(c.tail, s.size); err != nil {
		s.full = true
		return false
	}
	c.extents = append(c.extents, s.size)
	s.size += int64(len(c.tail))
	return true
}

// records returns the records of c, concatenated in the order of its ids. size is the number of
// bytes of one record.
func (s *spill) records(c *cell, size int) ([]byte, error) {
	n := extentRecords * size
	out := make([]byte, len(c.extents)*n, len(c.extents)*n+len(c.tail))
	for i, at := range c.extents {
		if _, err := s.file.ReadAt(out[i*n:(i+1)*n], at); err != nil {
			return nil, fmt.Errorf("read vectors: %w", err)
		}
	}
	return slices.Concat(out, c.tail), nil
}
