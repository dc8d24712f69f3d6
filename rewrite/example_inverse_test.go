package rewrite_test

import (
	"errors"
	"fmt"

	"github.com/readdress/readdress/rewrite"
)

// inverseOf runs a program on a URL and returns the inverse of what happened.
func inverseOf(program *rewrite.Program, client rewrite.URL) rewrite.Inverse {
	u := client
	result, err := program.Apply(rewrite.AfterLocation, &u, nil)
	if err != nil {
		panic(err)
	}
	return rewrite.NewInverse(client, u, result)
}

var (
	trimApp = rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.TrimPathPrefix("/app")},
		{Action: rewrite.SetHost("up.internal:8080")},
	}, nil)
	cart = rewrite.URL{Scheme: "https", Host: "shop.example", Path: "/app/cart"}
)

// What the upstream says about its own URLs becomes what the client knows.
func ExampleNewInverse() {
	client := rewrite.URL{Scheme: "https", Host: "shop.example", Path: "/app/cart"}
	u := client
	result, err := trimApp.Apply(rewrite.AfterLocation, &u, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	upstream := u
	upstream.Scheme = "http" // of the connection
	inverse := rewrite.NewInverse(client, upstream, result)

	location, changed := inverse.Location("http://up.internal:8080/login?next=/cart")
	fmt.Println(location, changed)
	cookie, changed := inverse.SetCookie("session=1; Path=/; Domain=up.internal; Secure")
	fmt.Println(cookie, changed)
	// Output:
	// https://shop.example/app/login?next=/cart true
	// session=1; Path=/app; Domain=shop.example; Secure true
}

func ExampleInverse_Location() {
	inverse := inverseOf(trimApp, cart)
	for _, value := range []string{
		"/login",
		"//up.internal:8080/login",
		"https://idp.example/login",
		"login",
		"/a\r\nSet-Cookie: x=1",
	} {
		location, changed := inverse.Location(value)
		fmt.Printf("%q %t\n", location, changed)
	}
	// Output:
	// "/app/login" true
	// "//shop.example/app/login" true
	// "https://idp.example/login" false
	// "login" false
	// "" true
}

func ExampleInverse_SetCookie() {
	inverse := inverseOf(trimApp, cart)
	fmt.Println(inverse.SetCookie("theme=dark; Path=/settings; Max-Age=60"))
	fmt.Println(inverse.SetCookie("__Host-id=1; Path=/; Secure"))
	// Output:
	// theme=dark; Path=/app/settings; Max-Age=60 true
	// __Host-id=1; Path=/; Secure false
}

func ExampleInverse_Refresh() {
	fmt.Println(inverseOf(trimApp, cart).Refresh("5; url='/status'"))
	// Output:
	// 5; url='/app/status' true
}

func ExampleInverse_Link() {
	fmt.Println(inverseOf(trimApp, cart).Link(`</page/2>; rel=next, <https://cdn.example/a.css>; rel=preload`))
	// Output:
	// </app/page/2>; rel=next, <https://cdn.example/a.css>; rel=preload true
}

// Destination is a header of requests, so it goes the other way.
func ExampleInverse_Destination() {
	inverse := inverseOf(trimApp, cart)
	fmt.Println(inverse.Destination("https://shop.example/app/copy"))
	fmt.Println(inverse.Destination("https://shop.example/other/copy"))
	// Output:
	// https://up.internal:8080/copy true
	//  false
}

// The value of X-Forwarded-Prefix.
func ExampleInverse_Prefix() {
	fmt.Println(inverseOf(trimApp, cart).Prefix())
	// Output:
	// /app
}

// Mappings serve where the program has no inverse.
func ExampleInverse_With() {
	program := rewrite.MustCompile([]rewrite.Rule{
		{Action: rewrite.RewritePath("^/shop/([0-9]+)/(.*)$", "/v2/$2?tenant=$1")},
	}, nil)
	fmt.Println(program.Invertible())
	mappings, err := rewrite.CompileMappings([]rewrite.Mapping{
		{From: "/v2/", To: "/shop/"},
		{Kind: rewrite.MapCookiePath, From: "/", To: "/shop"},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	client := rewrite.URL{Scheme: "https", Host: "shop.example", Path: "/shop/7/cart"}
	inverse := inverseOf(program, client).With(mappings)
	fmt.Println(inverse.Location("/v2/login"))
	fmt.Println(inverse.SetCookie("id=1; Path=/"))
	// Output:
	// rewrite: rule 0: RewritePath: has no inverse: a regular expression that is not a prefix by segment
	// /shop/login true
	// id=1; Path=/shop true
}

func ExampleCompileMappings() {
	_, err := rewrite.CompileMappings([]rewrite.Mapping{
		{From: "http://up.internal/two/", To: "/one/"},
		{From: "up.internal", To: "/"},
		{Kind: rewrite.MapCookiePath, From: "/", To: "/app; Domain=.example"},
	}, nil)
	var faults rewrite.MappingErrors
	if errors.As(err, &faults) {
		for _, e := range faults {
			fmt.Println(e.Index, e.Kind, e.Param, e.Offset)
		}
	}
	// Output:
	// 1 Location from 0
	// 2 CookiePath to 4
}
