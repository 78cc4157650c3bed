package accuracy

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Figure is a rate as it is published: with the bounds of its confidence
// interval, rounded to four digits.
type Figure struct {
	N     int     `json:"n"`
	Hit   int     `json:"hit"`
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func figure(r Rate) Figure {
	low, high := r.Bounds()
	return Figure{N: r.N, Hit: r.Hit, Value: rounded(r.Value()), Low: rounded(low), High: rounded(high)}
}

func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// StrategyFigure is the precision of the edges that one strategy of the
// resolver found, and the mean confidence that these edges state.
type StrategyFigure struct {
	Figure
	Stated     float64 `json:"stated"`
	Calibrated bool    `json:"calibrated"`
}

// Figures holds the counts and rates of a Score as they are published.
type Figures struct {
	Sites           map[Class]int             `json:"sites"`
	Precision       Figure                    `json:"precision"`      // precision of confident edges
	PrecisionShown  Figure                    `json:"precisionShown"` // precision of all edges
	Recall          Figure                    `json:"recall"`         // static and interface, confident edges
	RecallStatic    Figure                    `json:"recallStatic"`
	RecallInterface Figure                    `json:"recallInterface"`
	RecallShown     Figure                    `json:"recallShown"`
	External        Figure                    `json:"external"`
	Outside         int                       `json:"insideToldExternal"`
	Absent          int                       `json:"notExtracted"`
	Unjudged        int                       `json:"edgesWithoutTruth"`
	Unindexed       int                       `json:"truthNotIndexed"`
	Strategies      map[string]StrategyFigure `json:"strategies"`
}

// Publish returns the published figures of a score.
func Publish(s *Score) Figures {
	f := Figures{
		Sites: s.Classes, Precision: figure(s.Confident), PrecisionShown: figure(s.Shown),
		Recall: figure(Together(s.Recall)), RecallStatic: figure(s.Recall[ClassStatic]),
		RecallInterface: figure(s.Recall[ClassInterface]),
		RecallShown:     figure(Together(s.RecallShown)), External: figure(s.External),
		Outside: s.Outside, Absent: s.Absent, Unjudged: s.Unjudged, Unindexed: s.Unindexed,
		Strategies: map[string]StrategyFigure{},
	}
	for name, t := range s.Strategies {
		f.Strategies[name] = StrategyFigure{Figure: figure(t.Rate), Stated: rounded(t.Stated / float64(t.N)),
			Calibrated: t.Calibrated()}
	}
	return f
}

// ExternalPrecision returns the share of sites whose callee really is external, among the sites
// that the resolver says to be external. Calls through a value are excluded, since they have no
// definite callee.
func (f *Figures) ExternalPrecision() Figure {
	return figure(Rate{N: f.External.Hit + f.Outside, Hit: f.External.Hit})
}

// Measured is one repository in a golden file.
type Measured struct {
	Repo    string  `json:"repo"`
	Commit  string  `json:"commit"`
	Licence string  `json:"licence"`
	Split   Split   `json:"split"`
	Truth   string  `json:"truth"` // "compiler" or "hand"
	Figures Figures `json:"figures"`
}

// Golden holds the committed figures of a language, the contents of its golden
// file.
type Golden struct {
	Language     string            `json:"language"`
	Splits       map[Split]Figures `json:"splits"`
	Repositories []Measured        `json:"repositories"` // in order of corpus.lock
}

// GoldenDir is the folder of the golden files, which hold the committed figures. There is one
// LANGUAGE.json for each language.
var GoldenDir = filepath.Join("testdata", "accuracy")

func goldenFile(language string) string { return filepath.Join(GoldenDir, language+".json") }

func (g *Golden) encode() ([]byte, error) {
	text, err := json.MarshalIndent(g, "", "  ")
	return append(text, '\n'), err
}

// Write replaces the golden file of the language.
func (g *Golden) Write() error {
	text, err := g.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(GoldenDir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(goldenFile(g.Language), text, 0o644)
}

// Agrees reports whether the committed golden file of the language has exactly the figures in g.
func (g *Golden) Agrees() (bool, error) {
	committed, err := os.ReadFile(goldenFile(g.Language))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	text, err := g.encode()
	return bytes.Equal(text, committed), err
}

// ReadGoldens returns the committed goldens, by language.
func ReadGoldens() (out []Golden, err error) {
	names, err := filepath.Glob(goldenFile("*"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var g Golden
		if err := json.Unmarshal(text, &g); err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Golden) int { return strings.Compare(a.Language, b.Language) })
	return out, nil
}
