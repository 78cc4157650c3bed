package endpoint

import "testing"

// TestPublicHosts checks which hosts are known to belong to others: a name within a network of one's own may
// be a service that the workspace does not declare.
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
