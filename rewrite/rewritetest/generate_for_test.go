package rewritetest

import (
	"testing"

	"github.com/readdress/readdress/rewrite"
)

// Rules whose words CleanURL never has find them in a good part of the URLs,
// which are clean.
func TestCleanURLForFindsWhatRulesLookFor(t *testing.T) {
	for _, action := range []rewrite.Action{
		rewrite.TrimPathPrefix("/shop/", "kiosk"), rewrite.TrimPathText("/sh"), rewrite.ReplacePathPrefix("/shop/cart", "/"),
		rewrite.ReplacePathText("/Shop%2F", "/x"), rewrite.TrimPathPrefix("/caf\u00e9"),
		rewrite.RewritePath(`^/users/([0-9]+)/orders(/.*)?$`, "/o/$1$2"), rewrite.RewritePath(`(?i)^/(shop|kiosk)/[^/]{2,4}$`, "/$1"),
		rewrite.ReplacePathRegex(`\d{3,}-[x-z]`, "n"), rewrite.RewritePath(`^/shop(/|$)(.*)`, "/$2"),
		rewrite.DeleteQuery("token", "sid"), rewrite.RenameQuery("user id", "uid"), rewrite.SetQuery("100%&", "1"), rewrite.AddQuery("via", "x"),
		rewrite.KeepQuery("only"), rewrite.ReplaceHostSuffix(".shop.example", "kiosk.example"),
	} {
		rules := []rewrite.Rule{{Action: action}}
		p := rewrite.MustCompile(rules, nil)
		r := source()
		changed := 0
		const urls = 2_000
		for range urls {
			u := CleanURLFor(r, rules)
			for _, dots := range []rewrite.DotSegments{rewrite.RefuseDotSegments, rewrite.KeepDotSegments, rewrite.ResolveDotSegments} {
				if !isClean(u, dots) {
					t.Fatalf("%v: %#v is not clean under DotSegments %d", action, u, dots)
				}
			}
			in := u
			result, err := p.Apply(rewrite.AfterLocation, &u, nil)
			if err := Check(p, rewrite.AfterLocation, in, u, result, err); err != nil {
				t.Fatal(err)
			}
			if result.Changed() != 0 {
				changed++
			}
		}
		if changed < urls/5 || changed == urls && action.Op() != rewrite.OpAddQuery {
			t.Errorf("%v: %d of %d URLs change", action, changed, urls)
		}
	}
}

// Two rules, of which the second looks at what the first has left.
func TestCleanURLForChains(t *testing.T) {
	rules := []rewrite.Rule{{Action: rewrite.TrimPathPrefix("/shop")}, {Action: rewrite.TrimPathPrefix("/kiosk")}}
	p := rewrite.MustCompile(rules, nil)
	r := source()
	both := 0
	for range 2_000 {
		u := CleanURLFor(r, rules)
		before := len(u.Path)
		if _, err := p.Apply(rewrite.AfterLocation, &u, nil); err == nil && before-len(u.Path) >= len("/shop/kiosk")-1 {
			both++
		}
	}
	if both < 100 {
		t.Errorf("%d of 2,000 paths had both prefixes", both)
	}
}

func TestCleanURLForAnyRules(t *testing.T) {
	r := source()
	for range 2_000 {
		rules := append(Rules(r, r.IntN(4)), rewrite.Rule{}, rewrite.Rule{Action: rewrite.RewritePath("(", "")}, rewrite.Rule{Action: rewrite.TrimPathPrefix()})
		if u := CleanURLFor(r, rules); !isClean(u, rewrite.RefuseDotSegments) {
			t.Fatalf("%#v is not clean", u)
		}
	}
	a, b := source(), source()
	for range 100 {
		if CleanURLFor(a, nil) != CleanURLFor(b, nil) {
			t.Fatal("equal sources make different URLs")
		}
	}
}
