package endpoint

import (
	"strings"
	"testing"
)

// TestCovers checks patterns of subscriptions against the rules in the brokers' manuals.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		broker, pattern, topic string
		want                   bool
	}{
		{"nats", "orders.>", "orders.eu.paid", true},
		{"nats", "orders.>", "orders", false},
		{"nats", "orders.*.paid", "orders.eu.paid", true},
		{"nats", "orders.*", "orders.eu.paid", false},
		{"rabbitmq", "orders.#", "orders", true},
		{"rabbitmq", "orders.#", "orders.eu.paid", true},
		{"rabbitmq", "#.error", "orders.eu.error", true},
		{"rabbitmq", "#.error", "error", true},
		{"rabbitmq", "#.error.*", "orders.error", false},
		{"rabbitmq", "*.orders", "orders", false},
		{"mqtt", "home/+/light", "home/hall/light", true},
		{"mqtt", "home/#", "home", true},
		{"redis", "orders:*", "orders:paid", true},
		{"kafka", "orders.#", "orders.paid", false},
		// A search that tries every way to distribute the tokens would not end.
		{"rabbitmq", strings.Repeat("#.", 60) + "x", strings.Repeat("a.", 200) + "y", false},
	} {
		if got := covers(c.broker, c.pattern, c.topic); got != c.want {
			t.Errorf("%s: %.40s covers %.40s: got %t, want %t", c.broker, c.pattern, c.topic, got, c.want)
		}
	}
}
