package folding

import "testing"

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
		{"LIST_TOKENS", "./api/users/me/tokens", false},
		{"DELETE_TOKEN", "/tokens/{#0:id}", false},
		{"API_TOKEN", "/Zx81/kQ9+w", true},
		{"API_TOKEN", "/abc", true},
		{"paidKey", "{env:shop.paid.routing-key}", false},
		{"apiKey", "{env:API_KEY}", true},
	} {
		if got := IsSecret(c.name, c.value); got != c.want {
			t.Errorf("isSecret(%q, %q) = %v, want %v", c.name, c.value, got, c.want)
		}
	}
}
