// Package vector finds the unit vectors nearest to a given one. It packs
// vectors for the disk (Records), groups them so that a search visits few
// (Cells), and searches them in memory with chromem's collections (Store). It
// knows no text, no file and no SQL, and no type of chromem leaves it.
//
// # Records
//
// A record is 14 + d bytes, little-endian:
//
//	8  key    hash of the embedded text
//	4  scale  float32; 0 marks a record without a vector
//	2  cell   1 and up; 0 until one is assigned
//	d  the components, int8; times scale they are a vector of unit length
//
// Rounding to int8 changes a cosine by less than 0.003. An int8 takes a quarter
// of the space of a float32.
//
// # Cells
//
// Vectors are grouped around centroids, which k-means finds on a sample of the
// vectors. The centroids have two levels, so assigning a vector to one of k
// cells costs 4·√k inner products instead of k. A cell is a collection of
// chromem. Sketches, the signs of the vectors, are kept beside it (see sums),
// and a search visits only the few cells with the best sketches. Cells depend
// on the vectors alone, so equal vectors give equal cells.
package vector
