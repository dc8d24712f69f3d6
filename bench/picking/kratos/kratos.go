// Package kratos picks with the balancer wrr of go-kratos.
package kratos

import (
	"context"
	"strconv"
	"testing"

	"github.com/go-kratos/kratos/v2/registry"
	"github.com/go-kratos/kratos/v2/selector"
	"github.com/go-kratos/kratos/v2/selector/node/direct"
	"github.com/go-kratos/kratos/v2/selector/wrr"

	"github.com/readdress/readdress/bench/picking"
)

// Peer is go-kratos.
var Peer = picking.Peer{Name: "kratos-wrr", New: newPick}

// node tells its index, so that the pick need not look it up.
type node struct {
	selector.WeightedNode
	index int
}

func newPick(tb testing.TB, weights []uint32) func() int {
	nodes := make([]selector.WeightedNode, len(weights))
	for i, w := range weights {
		nodes[i] = &node{index: i, WeightedNode: (&direct.Builder{}).Build(selector.NewNode("http", "10.0.0."+strconv.Itoa(i)+":80",
			&registry.ServiceInstance{Metadata: map[string]string{"weight": strconv.Itoa(int(w))}}))}
	}
	balancer := (&wrr.Builder{}).Build()
	ctx := context.Background()
	return func() int {
		n, _, err := balancer.Pick(ctx, nodes)
		if err != nil {
			tb.Fatal(err)
		}
		return n.(*node).index
	}
}
