// Package vector answers which of many unit vectors are nearest to one: packed
// for the disk (Records), grouped so that few have to be looked at (Cells), and
// in memory in chromem's collections (Store). It knows no text, no file and no
// SQL, and no type of chromem leaves it.
//
// # Records
//
// A record is 14 + d bytes, little-endian:
//
//	8  key    hash of what was embedded
//	4  scale  float32; 0 says that there is no vector
//	2  cell   1 and up; 0 while none is assigned
//	d  the components, int8; the vector is them times scale, of unit length
//
// Rounding to int8 moves a cosine by less than 0.003, and takes a quarter of
// the room of float32.
//
// # Cells
//
// Vectors are grouped by coarse centroids, found by k-means on a sample in two
// levels, so that assigning one costs 4·√k inner products instead of k. A cell
// is a collection of chromem. Beside it are the signs of its vectors (see
// sums), and the few cells are asked whose vectors are nearest by these.
// Everything follows from the vectors alone, so equal vectors give equal cells.
package vector
