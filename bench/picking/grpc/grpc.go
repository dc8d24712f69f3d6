// Package grpc picks with the balancer weighted_round_robin of grpc-go, by its
// picker.
//
// That balancer has no weights of its own: it takes them from the load that
// backends report. So the connections here are fakes that are ready at once,
// and each backend reports once a load that makes its weight. Reports then stay
// valid, and the schedule stays as it is, for as long as a benchmark runs.
package grpc

import (
	"encoding/json"
	"fmt"
	"testing"

	orca "github.com/cncf/xds/go/xds/data/orca/v3"
	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/weightedroundrobin"
	"google.golang.org/grpc/connectivity"
	estats "google.golang.org/grpc/experimental/stats"
	"google.golang.org/grpc/resolver"

	"github.com/readdress/readdress/bench/picking"
)

// Peer is grpc-go.
var Peer = picking.Peer{Name: "grpc-wrr", New: newPick}

const config = `{"blackoutPeriod": "0s", "weightExpirationPeriod": "86400s", "weightUpdatePeriod": "86400s"}`

func newPick(tb testing.TB, weights []uint32) func() int {
	builder := balancer.Get(weightedroundrobin.Name)
	parsed, err := builder.(balancer.ConfigParser).ParseConfig(json.RawMessage(config))
	if err != nil {
		tb.Fatal(err)
	}
	state := balancer.ClientConnState{BalancerConfig: parsed}
	for i := range weights {
		state.ResolverState.Endpoints = append(state.ResolverState.Endpoints,
			resolver.Endpoint{Addresses: []resolver.Address{{Addr: address(i)}}})
	}
	cc := &clientConn{index: make(map[string]int)}
	for i := range weights {
		cc.index[address(i)] = i
	}
	b := builder.Build(cc, balancer.BuildOptions{})
	tb.Cleanup(b.Close)
	update := func() {
		if err := b.UpdateClientConnState(state); err != nil {
			tb.Fatal(err)
		}
		for len(cc.waiting) > 0 {
			listener := cc.waiting[0]
			cc.waiting = cc.waiting[1:]
			listener(balancer.SubConnState{ConnectivityState: connectivity.Ready})
		}
	}
	update()

	// Without weights picks take turns, so each backend soon has its report.
	for range 4 * len(weights) {
		result, err := cc.picker.Pick(balancer.PickInfo{})
		if err != nil {
			tb.Fatal(err)
		}
		w := weights[result.SubConn.(*subConn).index]
		result.Done(balancer.DoneInfo{ServerLoad: &orca.OrcaLoadReport{RpsFractional: float64(w), ApplicationUtilization: 1}})
	}
	update() // makes a picker with the weights

	picker := cc.picker
	return func() int {
		result, err := picker.Pick(balancer.PickInfo{})
		if err != nil {
			tb.Fatal(err)
		}
		return result.SubConn.(*subConn).index
	}
}

func address(i int) string { return fmt.Sprintf("10.0.0.%d:80", i) }

// A clientConn is the channel of which the balancer is a part. It keeps the
// picker that it is told of and who waits for a connection to be made or to be
// healthy.
type clientConn struct {
	balancer.ClientConn
	index   map[string]int
	picker  balancer.Picker
	waiting []func(balancer.SubConnState)
}

func (c *clientConn) NewSubConn(addrs []resolver.Address, opts balancer.NewSubConnOptions) (balancer.SubConn, error) {
	return &subConn{conn: c, index: c.index[addrs[0].Addr], listener: opts.StateListener}, nil
}

func (c *clientConn) UpdateState(s balancer.State)          { c.picker = s.Picker }
func (c *clientConn) ResolveNow(resolver.ResolveNowOptions) {}
func (c *clientConn) Target() string                        { return "bench" }

func (c *clientConn) MetricsRecorder() estats.MetricsRecorder {
	return estats.UnimplementedMetricsRecorder{}
}

type subConn struct {
	balancer.SubConn
	conn     *clientConn
	index    int
	listener func(balancer.SubConnState)
}

func (s *subConn) Connect()  { s.RegisterHealthListener(s.listener) }
func (s *subConn) Shutdown() {}

func (s *subConn) RegisterHealthListener(f func(balancer.SubConnState)) {
	s.conn.waiting = append(s.conn.waiting, f)
}
