package resolve

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// Uncalibrated is the most that an edge states whose strategy was measured on
// fewer than 50 call sites of a language, or not at all.
const Uncalibrated = 0.7

// Guess bounds the confidence of an edge that rests on a name alone.
const Guess = 0.5

// Calibration is what a strategy got right of the call sites of a language
// that it settled and that have a truth.
type Calibration struct {
	Sites      int     `json:"sites"`
	Right      int     `json:"right"`
	Confidence float64 `json:"confidence"` // what its edges state
}

//go:embed calibration.json
var calibrationText []byte

// calibrations is language → strategy → what was measured; written by
// cmd/dev/accuracy.
var calibrations = sync.OnceValue(func() map[string]map[Strategy]Calibration {
	out := map[string]map[Strategy]Calibration{}
	if err := json.Unmarshal(calibrationText, &out); err != nil {
		panic(fmt.Sprintf("calibration.json: %v", err)) // it is part of the program
	}
	return out
})

// Confidence returns what an edge of a strategy states in a language: the lower end
// of the 95 % Wilson interval of the precision measured over the truth sets
// (docs/accuracy.md).
func Confidence(language string, s Strategy) float64 {
	c, ok := calibrations()[language][s]
	if !ok {
		c.Confidence = Uncalibrated
	}
	if s == UniqueName {
		return min(c.Confidence, Guess)
	}
	return c.Confidence
}
