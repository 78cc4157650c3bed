package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/l2meta/resolve"
)

// calibrationFile holds the confidences that the resolver assigns to its edges.
var calibrationFile = filepath.Join("l2meta", "resolve", "calibration.json")

// writeCalibration replaces the confidences of the measured languages in
// calibrationFile; other languages keep theirs.
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
				continue // edges of the language have the confidences of their own language
			}
			all[name][resolve.Strategy(strategy)] = calibration(s.Rate)
		}
	}
	if text, err = json.MarshalIndent(all, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(calibrationFile, append(text, '\n'), 0o644)
}

// calibration returns the confidence for the edges that a strategy of the resolver finds, given
// their measured precision: the lower bound of the precision, rounded down to three digits. With
// fewer than accuracy.MinCalibrated edges, it is the precision itself, but at most
// resolve.Uncalibrated.
func calibration(rate accuracy.Rate) resolve.Calibration {
	stated, _ := rate.Bounds()
	if rate.N < accuracy.MinCalibrated {
		stated = min(rate.Value(), resolve.Uncalibrated)
	}
	return resolve.Calibration{Sites: rate.N, Right: rate.Hit, Confidence: math.Floor(stated*1000) / 1000}
}
