package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// table collects figures: a row for each thing measured, a column for each unit.
type table struct {
	rows, columns []string
	cells         map[[2]string][]float64 // row and column → a figure for each run
	notes         []string
}

// add adds the figure of one run to the cell at row and column.
func (t *table) add(row, column string, figure float64) {
	if t.cells == nil {
		t.cells = map[[2]string][]float64{}
	}
	if !slices.Contains(t.rows, row) {
		t.rows = append(t.rows, row)
	}
	if !slices.Contains(t.columns, column) {
		t.columns = append(t.columns, column)
	}
	key := [2]string{row, column}
	t.cells[key] = append(t.cells[key], figure)
}

// note adds a line below the table, unless the line is already there.
func (t *table) note(line string) {
	if !slices.Contains(t.notes, line) {
		t.notes = append(t.notes, line)
	}
}

// print writes the table in Markdown: "median (least to most)".
func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "| | %s |\n|---|%s\n", strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
	for _, row := range t.rows {
		fmt.Fprintf(w, "| %s |", row)
		for _, column := range t.columns {
			fmt.Fprintf(w, " %s |", spread(t.cells[[2]string{row, column}]))
		}
		fmt.Fprintln(w)
	}
	for _, line := range t.notes {
		fmt.Fprintln(w, line)
	}
}

// spread formats figures as their median, with the least and the greatest in parentheses if they
// differ: "12 (11 to 14)".
func spread(figures []float64) string {
	if len(figures) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(figures))
	least, middle, most := figure(sorted[0]), figure(percentile(sorted, 0.5)), figure(sorted[len(sorted)-1])
	if least == middle && middle == most {
		return middle
	}
	return fmt.Sprintf("%s (%s to %s)", middle, least, most)
}

// figure formats x with three significant digits, or as a whole number from 100
// on.
func figure(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// percentile returns a quantile of sorted: the share p of the values is at most the result.
func percentile(sorted []float64, p float64) float64 {
	return sorted[int(p*float64(len(sorted)-1)+0.5)]
}
