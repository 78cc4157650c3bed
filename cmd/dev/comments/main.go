// Command comments counts phrases in comments that make a reader stop, and
// fails if a package has more of them per 1,000 comment lines than its bound in
// bounds.txt:
//
//	comments            checks every package below the current folder
//	comments --all      also lists the phrases within bounds, and every rate
//	comments --lower    writes lower rates into bounds.txt; it never raises one
//
// A package that bounds.txt does not name has the bound 0.
package main

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed bounds.txt
var boundsText string

// boundsFile is the path of bounds.txt in the module.
var boundsFile = filepath.Join("cmd", "dev", "comments", "bounds.txt")

func main() {
	if err := command().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "comments:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var all, lower bool
	c := &cobra.Command{
		Use: "comments", Short: "Bound the unclear phrases in comments", Args: cobra.NoArgs,
		SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			bounds, err := parseBounds(boundsText)
			if err != nil {
				return err
			}
			packages, err := measure(".")
			if err != nil {
				return err
			}
			if lower {
				return os.WriteFile(boundsFile, []byte(formatBounds(lowered(bounds, packages))), 0o644)
			}
			return check(c.OutOrStdout(), packages, bounds, all)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "list the phrases of every package")
	c.Flags().BoolVar(&lower, "lower", false, "write lower rates into "+boundsFile)
	return c
}

// check prints the phrases in the packages that exceed their bounds, or in all
// packages. It returns an error that names the packages that exceed them.
func check(out io.Writer, packages []measured, bounds map[string]float64, all bool) error {
	var above []string
	for i := range packages {
		p := &packages[i]
		exceeds := p.rate() > bounds[p.path]
		if exceeds {
			above = append(above, p.path)
		}
		if exceeds || all {
			p.print(out, bounds[p.path])
		}
	}
	if len(above) > 0 {
		return fmt.Errorf("%s: more unclear phrases than %s allows; reword some of those listed (a renamed package "+
			"keeps its line there)",
			strings.Join(above, ", "), boundsFile)
	}
	return nil
}

func (m *measured) print(out io.Writer, bound float64) {
	fmt.Fprintf(out, "%s: %d phrases in %d comment lines, %.1f per 1,000; the bound is %.0f\n",
		m.path, len(m.found), m.lines, m.rate(), bound)
	for _, f := range m.found {
		fmt.Fprintf(out, "  %s:%d: %q: %s\n", f.file, f.line, f.text, f.habit.instead)
	}
}
