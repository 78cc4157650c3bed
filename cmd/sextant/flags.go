package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// flagError is the error for an invalid value of a flag; text tells which values are expected.
type flagError struct{ text string }

func (e *flagError) Error() string { return e.text }

// wholeFlag is a flag for a whole number from low to high. Set stores it in
// *to, which stays 0 if the flag is not given. If low is above 0, Set rejects
// an explicit 0.
type wholeFlag struct {
	name               string
	to                 *int
	low, high, example int
}

func (w wholeFlag) Set(text string) error {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < w.low || n > w.high {
		return &flagError{fmt.Sprintf("--%s: expected a whole number from %d to %d, got %s; for example %d", w.name,
			w.low, w.high, shownValue(text), w.example)}
	}
	*w.to = n
	return nil
}

func (w wholeFlag) String() string {
	if w.to == nil || *w.to == 0 {
		return "" // the help shows no default here, because the flag's text names the tool's default
	}
	return strconv.Itoa(*w.to)
}

func (w wholeFlag) Type() string { return "number" }

// shareFlag is a flag for a number from 0 to 1, such as a confidence.
type shareFlag struct {
	name string
	to   *float64
}

func (s shareFlag) Set(text string) error {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > 1 {
		return &flagError{fmt.Sprintf("--%s: expected a number from 0 to 1, got %s; for example 0.5", s.name,
			shownValue(text))}
	}
	*s.to = v
	return nil
}

func (s shareFlag) String() string {
	if s.to == nil {
		return ""
	}
	return strconv.FormatFloat(*s.to, 'g', -1, 64)
}

func (s shareFlag) Type() string { return "number" }

// shownValue returns text unchanged if it is a number, else quoted.
func shownValue(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return strconv.Quote(text)
}

// flagFault converts an error of the flag parser to a usage error with a clearer text.
func flagFault(c *cobra.Command, err error) error {
	var own *flagError
	if errors.As(err, &own) {
		return &usageError{own}
	}
	text := err.Error()
	if before, _, found := strings.Cut(text, "strconv.ParseBool"); found {
		text = before + "expected true or false"
	}
	return &usageError{fmt.Errorf("%s; see %s --help", text, c.CommandPath())}
}
