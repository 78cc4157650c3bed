package tokens

import (
	"encoding/json"

	"github.com/tiktoken-go/tokenizer"
)

// Counter counts tokens by o200k_base, the encoding of current OpenAI models.
type Counter struct{ codec tokenizer.Codec }

// NewCounter loads the encoding, which is part of the program.
func NewCounter() (Counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	return Counter{codec}, err
}

// Text returns the number of tokens of a text.
func (c Counter) Text(text string) (int, error) { return c.codec.Count(text) }

// Call returns the number of tokens that a model writes to call a tool.
func (c Counter) Call(tool string, args map[string]any) (int, error) {
	text, err := json.Marshal(map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return 0, err
	}
	return c.Text(string(text))
}
