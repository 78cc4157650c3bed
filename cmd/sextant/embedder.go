package main

import (
	"fmt"
	"strconv"
	"strings"

	"sextant/internal/navigate/search"
	"sextant/l1fts"
	"sextant/l1fts/embed"
	"sextant/l1fts/model2vec"
	"sextant/l1fts/remote"
)

// oneShotScan is how many vectors a command that answers once may read from
// the database: a person waits a second for an answer, and there is no second
// question for which they could be in memory.
const oneShotScan = 1_000_000

// embedderConfig is the [embedder] of the data folder's file.
type embedderConfig struct {
	Use        string `toml:"use"`        // builtin, off, model2vec:FOLDER or PROVIDER:MODEL
	URL        string `toml:"url"`        // of the provider's API
	Dimensions int    `toml:"dimensions"` // of the model's vectors
	PerMinute  int    `toml:"per_minute"` // requests at most
}

// embedderConfig is what the data folder's file says, and what the environment
// says over it.
func (a *app) embedderConfig(home string) (c embedderConfig, err error) {
	file, err := readConfig(home)
	if err != nil {
		return c, err
	}
	c = file.Embedder
	if v := a.env("SEXTANT_EMBEDDER"); v != "" && v != c.Use {
		c = embedderConfig{Use: v} // the rest is another embedder's
	}
	if v := a.env("SEXTANT_EMBEDDER_URL"); v != "" {
		c.URL = v
	}
	if v := a.env("SEXTANT_EMBEDDER_DIMENSIONS"); v != "" {
		if c.Dimensions, err = strconv.Atoi(v); err != nil || c.Dimensions < 1 {
			return c, fmt.Errorf("SEXTANT_EMBEDDER_DIMENSIONS=%q: expected a number above 0, for example 768", v)
		}
	}
	return c, nil
}

// semantic is how words and vectors are opened and fused.
type semantic struct {
	words  l1fts.Options
	fusion search.Fusion
	// missing is why the embedder that was asked for is not there, "" when it
	// is, or when none was asked for. Words answer then, and say so.
	missing string
}

// semantic opens the embedder. What is written wrongly is an error; what is
// missing (a key, a folder) costs the answers only their semantic side.
func (a *app) semantic(home string) (s semantic, err error) {
	if a.once {
		s.words.ScanLimit = oneShotScan
	}
	c, err := a.embedderConfig(home)
	if err != nil {
		return s, err
	}
	provider, model, _ := strings.Cut(c.Use, ":")
	switch provider {
	case "", "builtin":
		s.words.Embedder = embed.Builtin()
		return s, nil
	case "off":
		return s, nil
	case "model2vec":
		s.words.Embedder, err = model2vec.Open(model)
	case "ollama", "openai", "voyage", "gemini":
		key := a.embedderKey(provider)
		if key == "" && c.URL == "" && provider != "ollama" {
			s.missing = fmt.Sprintf("%s needs a key, in SEXTANT_EMBEDDER_KEY or %s", provider, keyNames[provider])
			return s, nil
		}
		s.words.Embedder, err = remote.New(remote.Options{Provider: provider, Model: model, URL: c.URL, Key: key, Dimensions: c.Dimensions, PerMinute: c.PerMinute})
	default:
		return s, fmt.Errorf("embedder %q: expected builtin, off, ollama:MODEL, openai:MODEL, voyage:MODEL, gemini:MODEL or model2vec:FOLDER", c.Use)
	}
	s.words.Trailing, s.fusion = true, search.FuseRanks
	if err != nil {
		s.words.Embedder, s.missing = nil, err.Error() // a nil pointer in an interface is not nil
	}
	return s, nil
}

// keyNames are the variables that the providers' own tools read.
var keyNames = map[string]string{"openai": "OPENAI_API_KEY", "voyage": "VOYAGE_API_KEY", "gemini": "GEMINI_API_KEY"}

func (a *app) embedderKey(provider string) string {
	if key := a.env("SEXTANT_EMBEDDER_KEY"); key != "" {
		return key
	}
	if name := keyNames[provider]; name != "" {
		return a.env(name)
	}
	return ""
}
