// The entry points of the package, one example each.

package rewrite_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// Rules are compiled once. Each request is cleaned once and then rewritten.
func Example() {
	program, err := rewrite.Compile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api")},
		{Action: rewrite.SetHost("backend.internal:8080")},
		{Action: rewrite.DeleteQuery("token")},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var input rewrite.Input
	for _, target := range []string{"/api/a%2Fb?page=2&token=x", "/apix", "/api/../admin"} {
		u, err := rewrite.ParseTarget("https", "www.example.com", target)
		if err == nil {
			err = input.Clean(&u, nil)
		}
		if err == nil {
			_, err = program.Apply(rewrite.AfterLocation, &u, nil)
		}
		if err != nil {
			fmt.Println("400:", err)
			continue
		}
		fmt.Println(u)
	}
	// Output:
	// https://backend.internal:8080/a%2Fb?page=2
	// https://backend.internal:8080/apix
	// 400: rewrite: path has a dot-segment
}

// The error has every fault of every rule, and what to write instead.
func ExampleCompile() {
	_, err := rewrite.Compile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/api", "/api/../v1")},
		{Action: rewrite.DropQuery()},
		{Action: rewrite.SetScheme("ftp")},
	}, nil)
	var faults rewrite.RuleErrors
	if errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Printf("rule %d, %v, %s:\n  %v\n", f.Index, f.Op, f.Param, f.Err)
		}
	}
	// Output:
	// rule 0, TrimPathPrefix, prefix[1]:
	//   "/api/../v1" has the dot-segment ".." at offset 5: write the path that it leads to
	// rule 2, SetScheme, scheme:
	//   "ftp": write http or https, in lower case
}

// For rules that are part of the program.
func ExampleMustCompile() {
	var toBackend = rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.SetHost("backend.internal")},
	}, nil)
	u := rewrite.URL{Scheme: "http", Host: "www.example.com", Path: "/"}
	_, err := toBackend.Apply(rewrite.AfterLocation, &u, nil)
	fmt.Println(u, err)
	// Output: http://backend.internal/ <nil>
}

// A refusal leaves the URL as it was.
func ExampleProgram_Apply() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.SetHost("backend.internal")},
		{Action: rewrite.TrimPathText("/v1")},
	}, nil)
	var scratch rewrite.Scratch
	for _, path := range []string{"/v1/users", "/v1../admin"} {
		u := rewrite.URL{Scheme: "http", Host: "www.example.com", Path: path}
		result, err := program.Apply(rewrite.AfterLocation, &u, &scratch)
		fmt.Println(u, result.Changed(), err)
	}
	// Output:
	// http://backend.internal/users host|path <nil>
	// http://www.example.com/v1../admin none rewrite: path has a dot-segment
}

func ExampleProgram_Explain() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/v1", "/v2")},
		{Action: rewrite.ReplacePathPrefix("/users", "/people")},
		{Action: rewrite.DeleteQuery("token")},
	}, nil)
	u, _ := rewrite.Parse("http://www.example.com/v2/users/7?page=2")
	steps, _, err := program.Explain(rewrite.AfterLocation, u)
	for _, s := range steps {
		fmt.Printf("%v: %s, %v\n", s.Action, s.Code, s.After)
	}
	fmt.Println(err)
	// Output:
	// TrimPathPrefix("/v1", "/v2"): changed, http://www.example.com/users/7?page=2
	// ReplacePathPrefix("/users", "/people"): changed, http://www.example.com/people/7?page=2
	// DeleteQuery("token"): no-match, http://www.example.com/people/7?page=2
	// <nil>
}

// A gateway that rewrites the Location headers of responses back asks when it
// loads the rules.
func ExampleProgram_Invertible() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/app")},
		{Action: rewrite.SetPath("/status")},
	}, nil)
	fmt.Println(program.Invertible())
	// Output: rewrite: rule 1: SetPath: has no inverse: the path of the request is lost
}

// What rules cannot touch need not be prepared.
func ExampleProgram_Touches() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.HostFromPathPrefix()},
		{Hook: rewrite.Forward, Action: rewrite.AddQuery("via", "gateway")},
	}, &rewrite.Options{AllowedHosts: []string{"*.example.com"}})
	for _, h := range rewrite.Hooks() {
		fmt.Println(h, program.Touches(h))
	}
	// Output:
	// BeforeLocation none
	// AfterLocation host|path
	// Forward query
}

// The limit is on what rules make, not on what they leave alone.
func ExampleProgram_MaxLength() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.AddPathPrefix("/v2")},
	}, &rewrite.Options{MaxLength: 10})
	fmt.Println(program.MaxLength())
	for _, path := range []string{"/users", "/customers"} {
		u := rewrite.URL{Path: path}
		_, err := program.Apply(rewrite.AfterLocation, &u, nil)
		fmt.Println(u.Path, err)
	}
	// Output:
	// 10
	// /v2/users <nil>
	// /customers rewrite: path or query is too long
}

// The zero Input escapes what has to be escaped, and else accepts a URL as it
// is or refuses it.
func ExampleInput_Clean() {
	var input rewrite.Input
	for _, path := range []string{"/a b", "/%7euser//a", "/a/%2e%2E/b", "/a%zz"} {
		u := rewrite.URL{Path: path}
		err := input.Clean(&u, nil)
		fmt.Println(u.Path, err)
	}
	// Output:
	// /a%20b <nil>
	// /%7euser//a <nil>
	// /a/%2e%2E/b rewrite: path has a dot-segment
	// /a%zz rewrite: path is malformed
}

// A lenient listener mends what others refuse, before anything looks at it.
func ExampleInput_Clean_lenient() {
	input := rewrite.Input{DotSegments: rewrite.ResolveDotSegments, Normalize: true, MergeSlashes: true}
	for _, path := range []string{"/%7euser//a", "/a/%2e%2E/b", "/a%2fb"} {
		u := rewrite.URL{Path: path}
		err := input.Clean(&u, nil)
		fmt.Println(u.Path, err)
	}
	// Output:
	// /~user/a <nil>
	// /b <nil>
	// /a%2Fb <nil>
}

func ExampleParse() {
	u, err := rewrite.Parse("HTTPS://www.example.com:8443/a%2Fb?q=1")
	fmt.Printf("%q %q %q %q %v\n", u.Scheme, u.Host, u.Path, u.RawQuery, err)
	_, err = rewrite.Parse("/a%2Fb")
	fmt.Println(err)
	// Output:
	// "https" "www.example.com:8443" "/a%2Fb" "q=1" <nil>
	// rewrite: request target is not a path or an absolute http URL
}

// The target of the request line decides, where it names a host.
func ExampleParseTarget() {
	for _, target := range []string{"/a?q=1", "http://b.example/a", "b.example:443"} {
		u, err := rewrite.ParseTarget("https", "a.example", target)
		fmt.Println(u, err)
	}
	// Output:
	// https://a.example/a?q=1 <nil>
	// http://b.example/a <nil>
	//  rewrite: request target is not a path or an absolute http URL
}

// What is kept beyond the request must not share the memory of a Scratch that
// is reused.
func ExampleURL_Clone() {
	program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.AddPathPrefix("/v2")}}, nil)
	var scratch rewrite.Scratch
	var log []rewrite.URL
	for _, path := range []string{"/users", "/items"} {
		u := rewrite.URL{Path: path}
		if _, err := program.Apply(rewrite.AfterLocation, &u, &scratch); err == nil {
			log = append(log, u.Clone())
		}
		scratch.Reuse()
	}
	fmt.Println(log)
	// Output: [/v2/users /v2/items]
}

func ExampleURL_AppendTarget() {
	u := rewrite.URL{Scheme: "http", Host: "a.example", Path: "/a%2Fb", RawQuery: "q=1"}
	line := append([]byte(nil), "GET "...)
	line = u.AppendTarget(line)
	line = append(line, " HTTP/1.1"...)
	fmt.Printf("%s\n", line)
	// Output: GET /a%2Fb?q=1 HTTP/1.1
}

func ExampleURL_AppendTo() {
	u := rewrite.URL{Scheme: "https", Host: "a.example", Path: "/", ForceQuery: true}
	buf := make([]byte, 0, 256) // one for many URLs
	buf = u.AppendTo(buf[:0])
	fmt.Printf("%s\n", buf)
	// Output: https://a.example/?
}

// A component that comes out as it went in has not changed.
func ExampleResult_Changed() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.SetHost("a.example")},
		{Action: rewrite.DeleteQuery("token")},
	}, nil)
	u := rewrite.URL{Host: "b.example", Path: "/", RawQuery: "page=2"}
	result, _ := program.Apply(rewrite.AfterLocation, &u, nil)
	fmt.Println(program.Touches(rewrite.AfterLocation))
	fmt.Println(result.Changed(), result.Changed()&rewrite.QueryChanged != 0)
	// Output:
	// host|query
	// host false
}

// X-Forwarded-Prefix is what was cut off the front.
func ExampleResult_Splice() {
	program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.TrimPathPrefix("/app")}}, nil)
	for _, path := range []string{"/app/users", "/app", "/apple"} {
		u := rewrite.URL{Path: path}
		result, _ := program.Apply(rewrite.AfterLocation, &u, nil)
		cut, put, ok := result.Splice()
		if ok && cut > 0 {
			fmt.Printf("X-Forwarded-Prefix: %s; ", path[:cut])
		}
		fmt.Println(u.Path == u.Path[:put]+path[cut:], u.Path)
	}
	// Output:
	// X-Forwarded-Prefix: /app; true /users
	// X-Forwarded-Prefix: /app; true /
	// true /apple
}

// Two hooks, or two programs, combine into one Result.
func ExampleResult_Then() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/shop")},
		{Hook: rewrite.Forward, Action: rewrite.AddPathPrefix("/v2")},
	}, nil)
	const before = "/shop/cart"
	u := rewrite.URL{Path: before}
	first, _ := program.Apply(rewrite.AfterLocation, &u, nil)
	second, _ := program.Apply(rewrite.Forward, &u, nil)
	cut, put, _ := first.Then(second).Splice()
	fmt.Printf("%s became %s for %s\n", before[:cut], u.Path[:put], before[cut:])
	// Output: /shop became /v2 for /cart
}

// A worker that is done with a request's strings when it has answered needs no
// memory for the next one.
func ExampleScratch_Reuse() {
	program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.AddPathPrefix("/v2")}}, nil)
	var scratch rewrite.Scratch
	for _, path := range []string{"/users", "/items"} {
		u := rewrite.URL{Path: path}
		_, err := program.Apply(rewrite.AfterLocation, &u, &scratch)
		fmt.Println(u.Path, err)
		scratch.Reuse() // u's strings are gone from here on
	}
	// Output:
	// /v2/users <nil>
	// /v2/items <nil>
}

// A worker whose requests are bytes in a buffer makes all strings with one
// Scratch, and needs no memory after the first few.
func ExampleScratch() {
	program := rewrite.MustCompile([]rewrite.Rule{{Action: rewrite.ReplacePathPrefix("/api", "/v2")}}, nil)
	var input rewrite.Input
	var scratch rewrite.Scratch
	var buf, line []byte
	for _, received := range []string{"GET /api/a%2Fb?q=1 HTTP/1.1", "GET /api/../x HTTP/1.1"} {
		buf = append(buf[:0], received...) // as read from a connection
		target, _, _ := bytes.Cut(buf[len("GET "):], []byte(" "))
		u, err := rewrite.ParseTarget("http", "a.example", scratch.String(target))
		if err == nil {
			err = input.Clean(&u, &scratch)
		}
		if err == nil {
			_, err = program.Apply(rewrite.AfterLocation, &u, &scratch)
		}
		if err != nil {
			fmt.Println("400:", err)
		} else {
			line = u.AppendTarget(append(line[:0], "GET "...))
			fmt.Printf("%s HTTP/1.1\n", line)
		}
		scratch.Reuse() // the request is over, and so are its strings
	}
	// Output:
	// GET /v2/a%2Fb?q=1 HTTP/1.1
	// 400: rewrite: path has a dot-segment
}

// Rules from a file: every fault is told with the place in the file.
func ExampleParseRules() {
	file := []byte(`[
		{"action": {"trimPathPrefix": ["/api/v1", "/api"]}},
		{"action": {"stripPathSegments": 1}, "order": 1},
		{"action": {"dropQuery": true}, "hook": "Forward"},
		{"action": {"setPath": "status"}, "hook": "Forward"}
	]`)
	rules, err := rewrite.ParseRules(file, "rules.json")
	fmt.Println(len(rules), err)
	_, err = rewrite.Compile(rules, nil)
	fmt.Println(err)

	_, err = rewrite.ParseRules([]byte(`[{"action": {"setPath": "/a"}, "hook": "forward"}, {"action": {"dropQuery": 1}}]`), "rules.json")
	fmt.Println(err)
	// Output:
	// 4 <nil>
	// rewrite: rule 3 (rules.json[3]@165): SetPath: path: "status" has no slash at offset 0: write "/status"
	// rewrite: rule 0 (rules.json[0]@39): unknown hook "forward": write BeforeLocation, AfterLocation or Forward
	// rewrite: rule 1 (rules.json[1]@76): write true
}

func ExampleHooks() {
	var names []string
	for _, h := range rewrite.Hooks() {
		names = append(names, h.String())
	}
	fmt.Println(strings.Join(names, ", "))
	fmt.Println("default:", rewrite.Rule{}.Hook)
	// Output:
	// BeforeLocation, AfterLocation, Forward
	// default: AfterLocation
}
