package resolve

// Uncalibrated is the confidence of a strategy whose precision has not been
// measured on enough call sites of a language.
const Uncalibrated = 0.7

// Guess bounds the confidence of an edge that rests on a name alone.
const Guess = 0.5

// Confidence is the measured precision of a strategy in a language: the lower
// end of its 95 % Wilson interval over the truth sets (docs/accuracy.md).
func Confidence(language string, s Strategy) float64 {
	c, ok := calibration[language][s]
	if !ok {
		c = Uncalibrated
	}
	if s == UniqueName {
		c = min(c, Guess)
	}
	return c
}

// calibration is language → strategy → precision, as measured.
var calibration = map[string]map[Strategy]float64{}
