// The cases of testdata/split.json: what nginx, NGINX Gateway Fabric and its
// reports have been seen to do, and what is right.

package split_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/readdress/readdress/split"
)

type vectors struct {
	Sequences []struct {
		Schedule string
		Weights  []uint32
		Sequence string
	}
	Percentages []struct {
		Weights   []uint32
		Shares    []string
		InsteadOf []string `json:"instead_of"` // what the float arithmetic printed
	}
	Targets []struct {
		Backends []split.Backend
		Target   string
	}
	Blocks []struct {
		Name     string
		Backends []split.Backend
		Rows     []string
	}
	Rejected []struct {
		Rows  rows
		Error string
	}
	Splits []rows
	Keys   []struct {
		Key     string
		Murmur2 uint32
		Picks   []string
	}
	Gap []struct {
		Key           string
		Rows          rows
		Before, Since int
	}
	Names []struct {
		Namespace, Route string
		Rule             int
		NKG              string
	}
	Survivors []struct {
		Weights []uint32
		Nginx   int
		Ideal   int
	}
	SmoothLags []struct {
		Weights []uint32
		Lag     float64
	} `json:"smooth_wrr_lags"`
}

// rows are pairs of a percentage and a value.
type rows [][2]string

func (r rows) list() []split.Row {
	list := make([]split.Row, len(r))
	for i, pair := range r {
		list[i] = split.Row{Percent: pair[0], Value: pair[1]}
	}
	return list
}

func readVectors(t testing.TB) *vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/split.json")
	if err != nil {
		t.Fatal(err)
	}
	v := new(vectors)
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVectorsSequences(t *testing.T) {
	for _, v := range readVectors(t).Sequences {
		schedule := map[string]split.Schedule{"Tijdeman": split.Tijdeman, "SmoothWRR": split.SmoothWRR}[v.Schedule]
		p := newPicker(t, &split.Options{Schedule: schedule}, v.Weights...)
		got := ""
		for _, i := range picks(t, p, 2*len(v.Sequence)) {
			got += string(rune('a' + i))
		}
		if want := v.Sequence + v.Sequence; got != want {
			t.Errorf("%s %v: %s, want %s", v.Schedule, v.Weights, got, want)
		}
	}
}

func TestVectorsPercentages(t *testing.T) {
	for _, v := range readVectors(t).Percentages {
		got := make([]string, 0, len(v.Weights))
		for _, share := range split.Percentages(v.Weights) {
			got = append(got, fmt.Sprintf("%d.%02d", share/100, share%100))
		}
		if !slices.Equal(got, v.Shares) {
			t.Errorf("%v: %v, want %v", v.Weights, got, v.Shares)
		}
	}
}

func TestVectorsTargets(t *testing.T) {
	for _, v := range readVectors(t).Targets {
		rule := split.NginxRule{Namespace: "ns", Route: "r", Backends: v.Backends}
		_, got, err := split.AppendNginx(nil, []split.NginxRule{rule}, nil)
		if err != nil || got[0] != v.Target {
			t.Errorf("%+v: %v, %v, want %s", v.Backends, got, err, v.Target)
		}
	}
}

func TestVectorsBlocks(t *testing.T) {
	for _, v := range readVectors(t).Blocks {
		t.Run(v.Name, func(t *testing.T) {
			rule := split.NginxRule{Namespace: "ns", Route: "r", Backends: v.Backends}
			got, _, err := split.AppendNginx(nil, []split.NginxRule{rule}, &split.NginxOptions{Names: split.NKG, Rows: split.Percent})
			if err != nil {
				t.Fatal(err)
			}
			want := "split_clients $request_id $ns_r_rule0 {\n    " + strings.Join(v.Rows, "\n    ") + "\n}\n"
			if string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestVectorsBuckets(t *testing.T) {
	v := readVectors(t)
	for _, r := range v.Rejected {
		want := map[string]error{
			"invalid percent value":              split.ErrPercent,
			"percent total is greater than 100%": split.ErrPercentTotal,
		}[r.Error]
		for _, gap := range []bool{false, true} {
			if _, err := split.NewBuckets(r.Rows.list(), &split.BucketOptions{Gap: gap}); want == nil || !errors.Is(err, want) {
				t.Errorf("%v: %v, want %s", r.Rows, err, r.Error)
			}
		}
	}
	for n, rows := range v.Splits {
		b := newBuckets(t, rows.list(), nil)
		for _, k := range v.Keys {
			if h := split.Murmur2(k.Key); h != k.Murmur2 {
				t.Errorf("the hash of %q is %d, want %d", k.Key, h, k.Murmur2)
			}
			got := ""
			if i := b.Row(k.Key); i >= 0 {
				got = rows[i][1]
			}
			if got != k.Picks[n] {
				t.Errorf("%v: key %q gets %q, want %q", rows, k.Key, got, k.Picks[n])
			}
		}
	}
	for _, g := range v.Gap {
		if got := newBuckets(t, g.Rows.list(), &split.BucketOptions{Gap: true}).Row(g.Key); got != g.Before {
			t.Errorf("%v before 1.31.2: row %d, want %d", g.Rows, got, g.Before)
		}
		if got := newBuckets(t, g.Rows.list(), nil).Row(g.Key); got != g.Since {
			t.Errorf("%v: row %d, want %d", g.Rows, got, g.Since)
		}
	}
}

func newBuckets(t testing.TB, rows []split.Row, opts *split.BucketOptions) *split.Buckets {
	t.Helper()
	b, err := split.NewBuckets(rows, opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestVectorsNames(t *testing.T) {
	for _, v := range readVectors(t).Names {
		rule := split.NginxRule{Namespace: v.Namespace, Route: v.Route, Rule: v.Rule, Backends: backends(1, 1)}
		_, got, err := split.AppendNginx(nil, []split.NginxRule{rule}, &split.NginxOptions{Names: split.NKG})
		if err != nil || got[0] != "$"+v.NKG {
			t.Errorf("%v, %v, want $%s", got, err, v.NKG)
		}
	}
}

// nginx gives the same survivor up to hundreds of picks in a row; see also
// TestWithHeavyLeaves.
func TestVectorsSurvivors(t *testing.T) {
	for _, v := range readVectors(t).Survivors {
		for after := 0; after < 1_100; after += 1 + after/64 {
			r := newRun(t, nil, backends(v.Weights...))
			for range after {
				r.pick()
			}
			r.reweigh(0)
			holdRuns(t, r, fmt.Sprint(v.Weights), v.Ideal+1)
		}
	}
}

// Where smooth weighted round robin lags by a request or more, it does here
// too, and Tijdeman's schedule does not.
func TestVectorsSmoothLags(t *testing.T) {
	for _, v := range readVectors(t).SmoothLags {
		total, _ := sum(v.Weights)
		for schedule, least := range map[split.Schedule]float64{split.SmoothWRR: v.Lag, split.Tijdeman: 0} {
			p := newPicker(t, &split.Options{Schedule: schedule}, v.Weights...)
			got := float64(deviation(t, v.Weights, func() int { return pick(t, p) }, int64(p.Cycle()))) / float64(total)
			if got < least-.001 || least == 0 && got >= 1 {
				t.Errorf("%v, schedule %d: deviation %.3f", v.Weights, schedule, got)
			}
		}
	}
}
