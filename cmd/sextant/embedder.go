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

// oneShotScan is the largest number of vectors that a command for a single question may read from
// the database one by one. Scanning so many takes about a second; loading them into memory first
// would help only later questions.
const oneShotScan = 1_000_000

// embedderConfig is the [embedder] table of sextant.toml.
type embedderConfig struct {
	Use        string `toml:"use"`        // builtin, off, model2vec:FOLDER or PROVIDER:MODEL
	URL        string `toml:"url"`        // URL of the provider's API; "" means its public one
	Dimensions int    `toml:"dimensions"` // length of the model's vectors; 0 means the model's default
	PerMinute  int    `toml:"per_minute"` // largest number of requests per minute; 0 means 300
}

// embedderConfig returns the [embedder] settings of home's sextant.toml,
// overridden by the SEXTANT_EMBEDDER variables.
func (s settings) embedderConfig(home string) (c embedderConfig, err error) {
	file, err := readConfig(home)
	if err != nil {
		return c, err
	}
	c = file.Embedder
	if v := s.env("SEXTANT_EMBEDDER"); v != "" && v != c.Use {
		c = embedderConfig{Use: v} // the file's other settings belong to another embedder
	}
	if v := s.env("SEXTANT_EMBEDDER_URL"); v != "" {
		c.URL = v
	}
	if v := s.env("SEXTANT_EMBEDDER_DIMENSIONS"); v != "" {
		if c.Dimensions, err = strconv.Atoi(v); err != nil || c.Dimensions < 1 {
			return c, fmt.Errorf("SEXTANT_EMBEDDER_DIMENSIONS=%q: expected a number above 0, for example 768", v)
		}
	}
	return c, nil
}

// semantic holds the options of the word and vector index, and how search combines
// a result's rank by words with its rank by vectors.
type semantic struct {
	words  l1fts.Options
	fusion search.Fusion
	// missing says why the configured embedder is unavailable, for example that its
	// key is not set. It is "" if the embedder works or none is configured. Search
	// then uses words alone and warns with this text.
	missing string
}

// semantic opens the configured embedder. It returns an error if the
// configuration is malformed. A missing key or model folder is no error: it is
// reported in missing, and search goes on with words alone.
func (s settings) semantic(home string) (m semantic, err error) {
	if s.once {
		m.words.ScanLimit = oneShotScan
	}
	c, err := s.embedderConfig(home)
	if err != nil {
		return m, err
	}
	provider, model, _ := strings.Cut(c.Use, ":")
	switch provider {
	case "", "builtin":
		m.words.Embedder = embed.Builtin()
		return m, nil
	case "off":
		return m, nil
	case "model2vec":
		m.words.Embedder, err = model2vec.Open(model)
	case "ollama", "openai", "voyage", "gemini":
		key := s.embedderKey(provider)
		if key == "" && c.URL == "" && provider != "ollama" {
			m.missing = fmt.Sprintf("%s needs a key, in SEXTANT_EMBEDDER_KEY or %s", provider, keyNames[provider])
			return m, nil
		}
		m.words.Embedder, err = remote.New(remote.Options{Provider: provider, Model: model, URL: c.URL, Key: key,
			Dimensions: c.Dimensions, PerMinute: c.PerMinute})
	default:
		return m, fmt.Errorf(
			"embedder %q: expected builtin, off, ollama:MODEL, openai:MODEL, voyage:MODEL, gemini:MODEL "+
				"or model2vec:FOLDER", c.Use)
	}
	m.words.Trailing, m.fusion = true, search.FuseRanks
	if err != nil {
		m.words.Embedder, m.missing = nil, err.Error() // a nil *remote.Embedder in the interface would not equal nil
	}
	return m, nil
}

// keyNames maps a provider to the environment variable from which the
// provider's own tools read the API key.
var keyNames = map[string]string{"openai": "OPENAI_API_KEY", "voyage": "VOYAGE_API_KEY", "gemini": "GEMINI_API_KEY"}

// embedderKey returns SEXTANT_EMBEDDER_KEY, or else the provider's own
// variable; "" if neither is set.
func (s settings) embedderKey(provider string) string {
	if key := s.env("SEXTANT_EMBEDDER_KEY"); key != "" {
		return key
	}
	if name := keyNames[provider]; name != "" {
		return s.env(name)
	}
	return ""
}
