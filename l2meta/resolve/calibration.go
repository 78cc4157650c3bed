package resolve

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// Uncalibrated is the confidence of an edge whose strategy was measured on fewer than 50 call sites
// of a language, or not at all.
const Uncalibrated = 0.7

// Guess is the highest confidence of an edge whose only evidence is that the names are equal.
const Guess = 0.5

// Calibration is the measured precision of a strategy in a language. Sites counts the call sites
// with a known truth that the strategy settled, Right the correct ones among them.
type Calibration struct {
	Sites      int     `json:"sites"`
	Right      int     `json:"right"`
	Confidence float64 `json:"confidence"` // confidence of the edges that the strategy finds
}

//go:embed calibration.json
var calibrationText []byte

// calibrations parses the measured calibrations, by language and strategy; cmd/dev/accuracy writes
// them.
var calibrations = sync.OnceValue(func() map[string]map[Strategy]Calibration {
	out := map[string]map[Strategy]Calibration{}
	if err := json.Unmarshal(calibrationText, &out); err != nil {
		panic(fmt.Sprintf("calibration.json: %v", err)) // the file is embedded in the program
	}
	return out
})

// Confidence returns the confidence of an edge of a strategy in a language: the lower end of the 95
// % Wilson interval of the precision measured over the truth sets (docs/accuracy.md). For
// UniqueName it returns Guess at most.
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
