package split_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/readdress/readdress/split"
)

// The three blocks of the pull request that brought weights to
// nginx-kubernetes-gateway, and the one for weights that are all 0. (There the
// single row of 100 % reads 10.00%, by a slip.)
func TestAppendNginxNKG(t *testing.T) {
	coffee := func(version string, weight uint32) split.Backend {
		return split.Backend{Name: "default_coffee-" + version + "_80", Weight: weight}
	}
	bad := func(weight uint32) split.Backend { return split.Backend{Weight: weight, Invalid: true} }
	tests := []struct {
		name     string
		backends []split.Backend
		want     string
	}{
		{"two valid", []split.Backend{coffee("v1", 80), coffee("v2", 20)}, `split_clients $request_id $default_cafe_route_rule0 {
    80.00% default_coffee-v1_80;
    20.00% default_coffee-v2_80;
}
`},
		{"total 0", []split.Backend{coffee("v1", 0), coffee("v2", 0)}, `split_clients $request_id $default_cafe_route_rule0 {
    100.00% invalid_backend_ref;
}
`},
		{"one invalid", []split.Backend{coffee("v1", 80), bad(20)}, `split_clients $request_id $default_cafe_route_rule0 {
    80.00% default_coffee-v1_80;
    20.00% invalid_backend_ref;
}
`},
		{"one has it all", []split.Backend{coffee("v1", 10), bad(0)}, `split_clients $request_id $default_cafe_route_rule0 {
    100.00% default_coffee-v1_80;
    # 0.00% invalid_backend_ref;
}
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rule := split.NginxRule{Namespace: "default", Route: "cafe-route", Backends: tt.backends}
			got, targets, err := split.AppendNginx(nil, []split.NginxRule{rule}, &split.NginxOptions{Names: split.NKG, Rows: split.Percent})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want || targets[0] != "$default_cafe_route_rule0" {
				t.Errorf("target %s\n%s\nwant\n%s", targets[0], got, tt.want)
			}
		})
	}
}

func TestAppendNginxStar(t *testing.T) {
	rules := []split.NginxRule{
		{Namespace: "default", Route: "cafe.v2", Rule: 1, Backends: []split.Backend{
			{Name: "a", Weight: 1}, {Name: "b", Weight: 1}, {Name: "c", Weight: 1}, {Name: "d"},
		}},
		{Namespace: "default", Route: "tea", Backends: []split.Backend{{Name: "only", Weight: 3}}},
		{Namespace: "9c", Route: "tea-time", Backends: []split.Backend{
			{Name: "big", Weight: 1_000_000}, {Name: "tiny", Weight: 1},
		}},
	}
	got, targets, err := split.AppendNginx([]byte("# splits\n"), rules, &split.NginxOptions{Invalid: "http_500", Key: "$arg_user"})
	if err != nil {
		t.Fatal(err)
	}
	want := `# splits
split_clients $arg_user $split_default_route_cafe_2ev2_rule_1 {
    33.34% a;
    33.33% b;
    * c; # 33.33%
    # 0.00% d;
}
split_clients $arg_user $split_9c_route_tea__time_rule_0 {
    * big; # 100.00%
    # 0.00% tiny;
}
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if fmt.Sprint(targets) != "[$split_default_route_cafe_2ev2_rule_1 only $split_9c_route_tea__time_rule_0]" {
		t.Errorf("targets %v", targets)
	}
}

func TestAppendNginxErrors(t *testing.T) {
	two := backends(1, 1)
	rule := func(namespace, route string, list []split.Backend) split.NginxRule {
		return split.NginxRule{Namespace: namespace, Route: route, Backends: list}
	}
	nkg := &split.NginxOptions{Names: split.NKG}
	tests := []struct {
		name  string
		rules []split.NginxRule
		opts  *split.NginxOptions
		want  error // nil: none
	}{
		{"collision", []split.NginxRule{rule("a-b", "c", two), rule("a", "b-c", two)}, nkg, split.ErrNginxCollision},
		{"collision by case", []split.NginxRule{rule("a", "c", two), rule("A", "c", two)}, nkg, split.ErrNginxCollision},
		{"no collision without a block", []split.NginxRule{rule("a-b", "c", two), rule("a", "b-c", two[:1])}, nkg, nil},
		{"injective", []split.NginxRule{rule("a-b", "c", two), rule("a", "b-c", two), rule("A-b", "c", two)}, nil, nil},
		{"one rule twice", []split.NginxRule{rule("a", "c", two), rule("a", "c", two)}, nil, split.ErrNginxCollision},
		{"dot", []split.NginxRule{rule("a", "my.route", two)}, nkg, split.ErrNginxName},
		{"dot, injective", []split.NginxRule{rule("a", "my.route", two)}, nil, nil},
		{"digit first", []split.NginxRule{rule("9c", "r", two)}, nkg, split.ErrNginxName},
		{"backend without a name", []split.NginxRule{rule("a", "r", []split.Backend{{Weight: 1}, {Weight: 1}})}, nil, split.ErrNginxName},
		{"directive in a name", []split.NginxRule{rule("a", "r", []split.Backend{{Name: "x; } server {", Weight: 1}})}, nil, split.ErrNginxName},
		{"variable in a name", []split.NginxRule{rule("a", "r", []split.Backend{{Name: "$http_host", Weight: 1}})}, nil, split.ErrNginxName},
		{"invalid target", nil, &split.NginxOptions{Invalid: "a b"}, split.ErrNginxName},
		{"key", nil, &split.NginxOptions{Key: "$x;"}, split.ErrNginxName},
		{"key, lone dollar", nil, &split.NginxOptions{Key: "$"}, split.ErrNginxName},
		{"key, dollar at the end", nil, &split.NginxOptions{Key: "$a$"}, split.ErrNginxName},
		{"key, two dollars", nil, &split.NginxOptions{Key: "$$a"}, split.ErrNginxName},
		{"key, dollar before a dot", nil, &split.NginxOptions{Key: "$."}, split.ErrNginxName},
		{"key, two variables", nil, &split.NginxOptions{Key: "$remote_addr-$_x"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := split.AppendNginx([]byte("x"), tt.rules, tt.opts)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if err != nil && string(got) != "x" {
				t.Errorf("appended %q in spite of %v", got[1:], err)
			}
		})
	}
	var we *split.WeightError
	if _, _, err := split.AppendNginx(nil, []split.NginxRule{rule("a", "r", backends(1, 1_000_001))}, nil); !errors.As(err, &we) || we.Index != 1 {
		t.Errorf("weight 1,000,001: %v", err)
	}
	if _, _, err := split.AppendNginx(nil, nil, &split.NginxOptions{Rows: 7}); err == nil {
		t.Error("rows 7 is accepted")
	}
}

// Injective names are variables to nginx, and no two rules share one, even if
// case is ignored.
func TestInjectiveNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	legal := regexp.MustCompile(`^\$[a-z][a-z0-9_]*$`)
	parts := []string{"a", "b", "A", "-", "_", ".", "__", "_route_", "_rule_", "2d", "2e", "é", "0", "\x00", "r"}
	text := func() (s string) {
		for range rng.IntN(5) {
			s += parts[rng.IntN(len(parts))]
		}
		return s
	}
	owner := make(map[string][3]string)
	for range 50_000 {
		rule := split.NginxRule{Namespace: text(), Route: text(), Rule: rng.IntN(12), Backends: backends(1, 1)}
		_, targets, err := split.AppendNginx(nil, []split.NginxRule{rule}, nil)
		if err != nil || !legal.MatchString(targets[0]) {
			t.Fatalf("%+v: %v, %v", rule, targets, err)
		}
		who := [3]string{rule.Namespace, rule.Route, fmt.Sprint(rule.Rule)}
		if other, ok := owner[targets[0]]; ok && other != who {
			t.Fatalf("%q and %q are both %s", other, who, targets[0])
		}
		owner[targets[0]] = who
	}
}

// parseBlocks returns the rows of blocks that AppendNginx has written.
func parseBlocks(t testing.TB, config string) (blocks [][]split.Row) {
	t.Helper()
	for line := range strings.Lines(config) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		switch fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ";")); {
		case strings.HasPrefix(line, "split_clients"):
			blocks = append(blocks, nil)
		case len(fields) == 2:
			last := &blocks[len(blocks)-1]
			*last = append(*last, split.Row{Percent: fields[0], Value: fields[1]})
		}
	}
	return blocks
}

// Whatever the weights, nginx accepts what is written, nobody of weight 0 has a
// row, and with a star every key has one, before 1.31.2 too: 4znawu has one of
// the largest hashes.
func TestAppendNginxAccepted(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 5_000 {
		list := randomBackends(rng)
		for _, rows := range []split.Rows{split.Star, split.Percent} {
			config, _, err := split.AppendNginx(nil, []split.NginxRule{{Namespace: "n", Route: "r", Backends: list}}, &split.NginxOptions{Rows: rows})
			if err != nil {
				t.Fatal(err)
			}
			block := parseBlocks(t, string(config))[0]
			b := newBuckets(t, block, &split.BucketOptions{Gap: true})
			if row := b.Row("4znawu"); row < 0 && rows == split.Star && block[0].Value != "invalid_backend_ref" {
				t.Fatalf("no row for a key:\n%s", config)
			}
			for _, row := range block {
				for _, l := range list {
					if l.Weight == 0 && !l.Invalid && row.Value == l.Name {
						t.Fatalf("a row for weight 0:\n%s", config)
					}
				}
			}
		}
	}
}

func randomBackends(rng *rand.Rand) []split.Backend {
	list := backends(make([]uint32, 2+rng.IntN(15))...)
	limit := []int{2, 10, 1_000, split.MaxWeight}[rng.IntN(4)]
	for i := range list {
		list[i].Weight = uint32(rng.IntN(limit + 1))
		list[i].Invalid = rng.IntN(8) == 0
	}
	return list
}
