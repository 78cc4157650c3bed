package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"sextant/internal/accuracy"
	"sextant/l2meta/resolve"
)

// calibrationFile is where the resolver has its confidences from.
var calibrationFile = filepath.Join("l2meta", "resolve", "calibration.json")

// writeCalibration replaces what the edges of the measured languages state; the
// other languages keep theirs.
func (r *runner) writeCalibration() error {
	all := map[string]map[resolve.Strategy]resolve.Calibration{}
	text, err := os.ReadFile(calibrationFile)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for name, l := range r.languages {
		if l.lacking {
			continue
		}
		sum := accuracy.NewScore()
		for _, score := range l.splits {
			sum.Merge(score)
		}
		all[name] = map[resolve.Strategy]resolve.Calibration{}
		for strategy, s := range sum.Strategies {
			if accuracy.Foreign(strategy) {
				continue // its edges state what was measured in their own language
			}
			all[name][resolve.Strategy(strategy)] = calibration(s.Rate)
		}
	}
	if text, err = json.MarshalIndent(all, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(calibrationFile, append(text, '\n'), 0o644)
}

// calibration states the lower bound of what was measured, rounded down to
// three digits; where too little was, the share itself, and no more than the
// cap.
func calibration(rate accuracy.Rate) resolve.Calibration {
	stated, _ := rate.Bounds()
	if rate.N < accuracy.MinCalibrated {
		stated = min(rate.Value(), resolve.Uncalibrated)
	}
	return resolve.Calibration{Sites: rate.N, Right: rate.Hit, Confidence: math.Floor(stated*1000) / 1000}
}
