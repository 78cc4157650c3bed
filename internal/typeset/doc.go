// Package typeset answers one question: how does a line of an answer fit into a
// terminal of so many cells?
//
// A [Line] is parts of text, each with a role: a path, a name, source. [Line.Fit]
// shortens a line by the roles of its parts. A path loses folders in its middle,
// source loses its end, and text that still does not fit goes on below:
//
//	billing/src/main/java/com/example/invoice/InvoiceService.java:40 method close
//	billing/…/example/invoice/InvoiceService.java:40 method close      at 60 cells
//
// Cells are counted by grapheme clusters: 漢 takes two, é written as two runes
// takes one. The package knows no colours, no answers and no terminal; the caller
// says how wide one is, and paints the parts.
package typeset
