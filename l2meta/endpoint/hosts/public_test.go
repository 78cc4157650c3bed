package hosts

import "testing"

// TestPublicHosts checks which host names are outside of the workspace. A name in a private network
// may be that of a service which the workspace does not declare.
func TestPublicHosts(t *testing.T) {
	for name, public := range map[string]bool{
		"graph.microsoft.com": true, "storage.googleapis.com": true, "metadata.google.internal": true,
		"169.254.169.254": true, "orders": false, "orders.shop.svc": false, "orders.internal": false,
		"10.0.0.7": false, "{env:HOST}.com": false, "gateway.example": false,
	} {
		if isPublic(name) != public {
			t.Errorf("isPublic(%q) is %v", name, !public)
		}
	}
}
