// The actions, one example each.

package rewrite_test

import (
	"fmt"

	"github.com/readdress/readdress/rewrite"
)

// show prints what an action makes of URLs.
func show(action rewrite.Action, urls ...string) {
	program := rewrite.MustCompile([]rewrite.Rule{{Action: action}},
		&rewrite.Options{AllowedHosts: []string{"*.internal"}})
	for _, text := range urls {
		u, err := rewrite.Parse(text)
		if err == nil {
			_, err = program.Apply(rewrite.AfterLocation, &u, nil)
		}
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(u)
	}
}

// The port is part of the host.
func ExampleSetHost() {
	show(rewrite.SetHost("backend.internal"), "http://a.example:8080/x")
	// Output: http://backend.internal/x
}

func ExampleSetHostname() {
	show(rewrite.SetHostname("backend.internal"), "http://a.example:8080/x")
	// Output: http://backend.internal:8080/x
}

// The scheme's own port is not written.
func ExampleSetPort() {
	show(rewrite.SetPort("443"), "http://a.example/x", "https://a.example:8443/x")
	// Output:
	// http://a.example:443/x
	// https://a.example/x
}

// Only the hosts of Options.AllowedHosts can be reached, here *.internal.
func ExampleHostFromPathPrefix() {
	show(rewrite.HostFromPathPrefix(), "http://a.example/db.internal/x", "http://a.example/evil.example/x")
	// Output:
	// http://db.internal/x
	// rewrite: host is malformed or not allowed
}

// Labels are replaced, not letters.
func ExampleReplaceHostSuffix() {
	show(rewrite.ReplaceHostSuffix("a.example", "internal"), "http://www.a.example:8080/x", "http://data.example/x")
	// Output:
	// http://www.internal:8080/x
	// http://data.example/x
}

// The query stays.
func ExampleSetPath() {
	show(rewrite.SetPath("/status page"), "http://a.example/x?q=1")
	// Output: http://a.example/status%20page?q=1
}

func ExampleAddPathPrefix() {
	show(rewrite.AddPathPrefix("/v2/"), "http://a.example/users", "http://a.example/")
	// Output:
	// http://a.example/v2/users
	// http://a.example/v2/
}

// A prefix ends where a segment ends. The first one that matches is removed.
func ExampleTrimPathPrefix() {
	show(rewrite.TrimPathPrefix("/api/v1", "/api"),
		"http://a.example/api/v1/users", "http://a.example/api/users", "http://a.example/api", "http://a.example/apis")
	// Output:
	// http://a.example/users
	// http://a.example/users
	// http://a.example/
	// http://a.example/apis
}

// A path with fewer segments is left alone.
func ExampleStripPathSegments() {
	show(rewrite.StripPathSegments(2), "http://a.example/a/b/c", "http://a.example/a/b", "http://a.example/a")
	// Output:
	// http://a.example/c
	// http://a.example/
	// http://a.example/a
}

func ExampleReplacePathPrefix() {
	show(rewrite.ReplacePathPrefix("/users", "/people"), "http://a.example/users/7", "http://a.example/users7")
	// Output:
	// http://a.example/people/7
	// http://a.example/users7
}

// Text ends anywhere.
func ExampleTrimPathText() {
	show(rewrite.TrimPathText("/user-"), "http://a.example/user-7/cart", "http://a.example/users")
	// Output:
	// http://a.example/7/cart
	// http://a.example/users
}

func ExampleReplacePathText() {
	show(rewrite.ReplacePathText("/user-", "/users/"), "http://a.example/user-7/cart")
	// Output: http://a.example/users/7/cart
}

// The template is the whole new path. Behind a question mark it goes before
// the query.
func ExampleRewritePath() {
	show(rewrite.RewritePath(`^/item/([0-9]+)/([^/]*)`, "/items?id=$1&name=$2"),
		"http://a.example/item/7/red%20hat?page=2", "http://a.example/item/x")
	// Output:
	// http://a.example/items?id=7&name=red%20hat&page=2
	// http://a.example/item/x
}

// What does not match stays.
func ExampleReplacePathRegex() {
	show(rewrite.ReplacePathRegex(`/v([0-9]+)`, "/version-$1"), "http://a.example/v1/users/v2")
	// Output: http://a.example/version-1/users/version-2
}

// A pair of the same name stays.
func ExampleAddQuery() {
	show(rewrite.AddQuery("tag", "a&b"), "http://a.example/?tag=c", "http://a.example/")
	// Output:
	// http://a.example/?tag=c&tag=a%26b
	// http://a.example/?tag=a%26b
}

// A client cannot send a pair of its own along, however it is spelled.
func ExampleSetQuery() {
	show(rewrite.SetQuery("user", "7"), "http://a.example/?user=1&page=2&%75ser=3")
	// Output: http://a.example/?page=2&user=7
}

func ExampleDeleteQuery() {
	show(rewrite.DeleteQuery("debug", "token"), "http://a.example/?debug&page=2&token=x&debugger")
	// Output: http://a.example/?page=2&debugger
}

// The value keeps its bytes.
func ExampleRenameQuery() {
	show(rewrite.RenameQuery("q", "query"), "http://a.example/?q=a+b%20c&page=2")
	// Output: http://a.example/?query=a+b%20c&page=2
}

func ExampleKeepQuery() {
	show(rewrite.KeepQuery("page", "sort"), "http://a.example/?page=2&utm_source=x&sort=name")
	// Output: http://a.example/?page=2&sort=name
}

func ExampleDropQuery() {
	show(rewrite.DropQuery(), "http://a.example/x?page=2")
	// Output: http://a.example/x
}

// For the Location of a redirect: the connection to a backend is not affected.
func ExampleSetScheme() {
	show(rewrite.SetScheme("https"), "http://a.example/x")
	// Output: https://a.example/x
}
