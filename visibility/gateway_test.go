// What comes first at a gateway.

package visibility_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readdress/readdress/visibility"
)

// A gateway does not prefer an entry for everyone for being of its namespace.
// That is no way past the Service of that namespace for what is behind it there.
func TestGatewayServiceBeforeServiceEntry(t *testing.T) {
	opts := &visibility.IndexOptions{DataPlane: visibility.Gateway}
	kube, inner := service("a", "kube", 9, "x.net"), exported(serviceEntry("a", "inner", 1, "x.net"), ".")
	other, foreign := exported(serviceEntry("b", "other", 0, "x.net"), "a"), service("b", "foreign", 3, "x.net")
	for _, tt := range []struct {
		name    string
		entries []visibility.Entry
		want    string
	}{
		{"the Service is for everyone", []visibility.Entry{kube, inner}, "kube"},
		{"and an entry is exported to the gateway", []visibility.Entry{kube, inner, other}, "kube"},
		{"and an older Service is elsewhere", []visibility.Entry{kube, inner, foreign}, "foreign"},
		{"the Service is the namespace's own", []visibility.Entry{exported(kube, "."), inner, foreign}, "kube"},
		{"the gateway does not see the Service", []visibility.Entry{exported(kube, "b"), inner, foreign}, "inner"},
		{"an older ServiceEntry is for everyone", []visibility.Entry{serviceEntry("a", "public", 0, "x.net"), inner}, "inner"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := mustIndex(t, visibility.Off(), nil, opts, tt.entries...)
			assert.Equal(t, tt.want, host(x, "x.net", "a"))
			assert.Equal(t, tt.want, x.Explain("x.net", "a").Ref.Name)
		})
	}
}
