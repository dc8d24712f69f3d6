package split_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/readdress/readdress/split"
)

// Two versions of coffee, 80 to 20.
func ExamplePicker() {
	p, err := split.New([]split.Backend{
		{Name: "coffee-v1", Weight: 80},
		{Name: "coffee-v2", Weight: 20},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := make([]int, 2)
	for range 500 {
		i, err := p.Pick()
		if err != nil {
			fmt.Println(err) // answer 500
			return
		}
		counts[i]++
	}
	fmt.Println(counts)
	// Output: [400 100]
}

func ExampleNew() {
	backends := []split.Backend{{Name: "a", Weight: 5}, {Name: "b", Weight: 1}, {Name: "c", Weight: 1}}
	for _, opts := range []*split.Options{nil, {Phase: 3}, {Schedule: split.SmoothWRR}} {
		p, err := split.New(backends, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		for range 2 * p.Cycle() {
			i, _ := p.Pick()
			fmt.Print(backends[i].Name)
		}
		fmt.Println()
	}
	_, err := split.New([]split.Backend{{Name: "a", Weight: 2_000_000}}, nil)
	fmt.Println(err)
	// Output:
	// aabaacaaabaaca
	// aacaaabaacaaab
	// aabacaaaabacaa
	// split: backend 0 ("a"): weight 2000000 is not in 0 to 1000000
}

// The share of an invalid backend is answered with 500, and so is everything
// when there is no weight.
func ExamplePicker_Pick() {
	show := func(backends ...split.Backend) {
		p, err := split.New(backends, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		var answers []string
		for range 4 {
			i, err := p.Pick()
			switch {
			case errors.Is(err, split.ErrInvalidBackend), errors.Is(err, split.ErrNoBackend):
				answers = append(answers, "500")
			default:
				answers = append(answers, backends[i].Name)
			}
		}
		fmt.Println(answers)
	}
	show(split.Backend{Name: "tea", Weight: 3}, split.Backend{Name: "gone", Weight: 1, Invalid: true})
	show(split.Backend{Name: "tea", Weight: 0})
	show()
	// Output:
	// [tea tea 500 tea]
	// [500 500 500 500]
	// [500 500 500 500]
}

// A user stays on one version, and the canary's users stay on it as its weight
// grows.
func ExamplePicker_PickHash() {
	versions := func(stable, canary uint32) []split.Backend {
		return []split.Backend{{Name: "stable", Weight: stable}, {Name: "canary", Weight: canary}}
	}
	at10, err := split.New(versions(90, 10), &split.Options{Salt: 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	at20, err := at10.With(versions(8, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	var canaries, stayed, joined int
	for user := range 10_000 {
		h := split.Hash(fmt.Sprintf("user-%d", user))
		before, _ := at10.PickHash(h)
		after, _ := at20.PickHash(h)
		switch {
		case before == 1 && after == 1:
			canaries++
			stayed++
		case before == 1:
			canaries++
		case after == 1:
			joined++
		}
	}
	fmt.Println(stayed == canaries, canaries > 900 && canaries < 1100, joined > 900 && joined < 1100)
	// Output: true true true
}

// A retry goes to another backend.
func ExamplePicker_PickExcept() {
	backends := []split.Backend{{Name: "a", Weight: 50}, {Name: "b", Weight: 30}, {Name: "c", Weight: 20}}
	p, err := split.New(backends, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var tried [3]bool
	skip := func(i int) bool { return tried[i] }
	h := split.HashBytes([]byte("user-1"))
	for {
		i, err := p.PickExcept(h, skip)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(backends[i].Name, "fails")
		tried[i] = true
	}
	// Output:
	// b fails
	// a fails
	// c fails
	// split: every backend of positive weight is skipped
}

// New weights every five requests: the light backend gets its share all the
// same.
func ExamplePicker_With() {
	backends := []split.Backend{{Name: "heavy", Weight: 99}, {Name: "light", Weight: 1}}
	p, err := split.New(backends, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := make([]int, 2)
	for k := range 10_000 {
		if k%5 == 4 {
			backends[0].Weight = 98 + uint32(k/5%3) // 98, 99, 100 and again
			if p, err = p.With(backends); err != nil {
				fmt.Println(err)
				return
			}
		}
		i, _ := p.Pick()
		counts[i]++
	}
	fmt.Println(counts)
	// Output: [9900 100]
}

// Each worker counts for itself and begins elsewhere in the cycle.
func ExampleCursor() {
	p, err := split.New([]split.Backend{{Name: "a", Weight: 3}, {Name: "b", Weight: 1}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	const workers = 4
	for w := range uint64(workers) {
		cursor := p.Cursor(w * p.Cycle() / workers)
		for range 8 {
			i, _ := cursor.Pick()
			fmt.Print(i)
		}
		fmt.Println()
	}
	// Output:
	// 00100010
	// 01000100
	// 10001000
	// 00010001
}

func ExamplePercentages() {
	for _, weights := range [][]uint32{{2, 1, 0}, {23, 977}, {1, 1, 1}, {0, 0}} {
		fmt.Println(split.Percentages(weights))
	}
	// Output:
	// [6667 3333 0]
	// [230 9770]
	// [3334 3333 3333]
	// [0 0]
}

func ExampleRenormalize() {
	backends := []split.Backend{{Name: "a", Weight: 70}, {Name: "b", Weight: 30}}
	up := map[string]bool{"b": true}
	fmt.Println(split.Renormalize(backends, func(i int) bool { return up[backends[i].Name] }))
	up["b"] = false
	fmt.Println(split.Renormalize(backends, func(i int) bool { return up[backends[i].Name] }))
	// Output:
	// [{a 0 false} {b 30 false}]
	// [{a 70 false} {b 30 false}]
}

func ExampleAppendNginx() {
	config, targets, err := split.AppendNginx(nil, []split.NginxRule{
		{Namespace: "default", Route: "cafe", Backends: []split.Backend{
			{Name: "default_coffee-v1_80", Weight: 80},
			{Name: "default_coffee-v2_80", Weight: 20},
		}},
		{Namespace: "default", Route: "tea", Backends: []split.Backend{
			{Name: "default_tea_80", Weight: 1},
		}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(config)
	for _, target := range targets {
		fmt.Printf("proxy_pass http://%s;\n", target)
	}
	// Output:
	// split_clients $request_id $split_default_route_cafe_rule_0 {
	//     80.00% default_coffee-v1_80;
	//     * default_coffee-v2_80; # 20.00%
	// }
	// proxy_pass http://$split_default_route_cafe_rule_0;
	// proxy_pass http://default_tea_80;
}

// Which users nginx sends where, without asking it; and what it leaves without
// an answer before 1.31.2.
func ExampleNewBuckets() {
	rows := []split.Row{{Percent: "51.2%", Value: "one"}, {Percent: "10%", Value: "two"}, {Percent: "*", Value: "three"}}
	b, err := split.NewBuckets(rows, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"a", "ab", "user-2"} {
		fmt.Println(key, rows[b.Row(key)].Value)
	}

	var eighths []split.Row
	for range 8 {
		eighths = append(eighths, split.Row{Percent: "12.5%"})
	}
	for _, gap := range []bool{false, true} {
		b, err := split.NewBuckets(eighths, &split.BucketOptions{Gap: gap})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(b.Row("4znawu"))
	}
	// Output:
	// a two
	// ab one
	// user-2 one
	// 7
	// -1
}
