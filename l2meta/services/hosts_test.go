package services

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/code"
)

// BenchmarkHosts reads a manifest that sets many variables of one workload without a name. Its time
// must grow linearly.
func BenchmarkHosts(b *testing.B) {
	for _, lines := range []int{1000, 4000, 16000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			text := "kind: Deployment\nmetadata:\n  labels: {}\nenv:\n" +
				strings.Repeat("  ORDERS_URL: http://orders:80\n", lines)
			f := &code.File{Path: "k8s/web.yaml", Language: "yaml", Text: []byte(text)}
			for b.Loop() {
				if got := len(hostEndpoints(f)); got != maxHosts {
					b.Fatalf("%d variables, expected %d", got, maxHosts)
				}
			}
		})
	}
}

func TestIsSecret(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"ORDER_PLACED_ROUTING_KEY", "order.placed", false},
		{"shop.paid-routing-key", "orders.paid", false},
		{"KEYCLOAK_URL", "http://keycloak:8080", false},
		{"PAGERDUTY_ROUTING_KEY", "R0A1B2C3D4E5F6G7H8I9J0K1L2M3N4O5", true},
		{"KEYCLOAK_CLIENT_SECRET", "shop", true},
		{"API_KEY", "abc", true},
		{"paidKey", "{env:shop.paid.routing-key}", false},
		{"apiKey", "{env:API_KEY}", true},
	} {
		if got := isSecret(c.name, c.value); got != c.want {
			t.Errorf("isSecret(%q, %q) = %v, want %v", c.name, c.value, got, c.want)
		}
	}
}
