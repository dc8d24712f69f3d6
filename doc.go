// Package readdress is a library for people who write their own HTTP proxy,
// gateway or ingress controller. This package holds no code; it is the map.
//
// It answers five questions: what the URL of a request becomes on its way to a
// backend, what an operator asked for, which route a request takes, which
// backend gets it, and which services a client finds. The answers are values,
// computed by functions that a program calls where it wants to: there is no
// global state, no goroutine, no log, no clock and no I/O in them.
//
//   - [github.com/readdress/readdress/rewrite] is the engine: actions on host,
//     path, query and scheme, compiled into one program and run per hook.
//   - [github.com/readdress/readdress/annotation] reads rules from the
//     annotations of a Kubernetes Ingress, and says where they are wrong.
//   - [github.com/readdress/readdress/route] is the table that finds the route
//     of a URL: by host, path and conditions.
//   - [github.com/readdress/readdress/route/ingress] turns Ingresses of any
//     dialect into entries of none, and entries into a table; below it is one
//     package for each dialect.
//   - [github.com/readdress/readdress/split] picks a backend by weight, as evenly
//     as can be.
//   - [github.com/readdress/readdress/visibility] decides which services of a
//     mesh a client finds, and says why.
//   - [github.com/readdress/readdress/rewrite/rewritehttp] joins it to net/http
//     and net/http/httputil, and is the only package that knows them.
//   - [github.com/readdress/readdress/rewrite/rewritetest] states the engine's
//     guarantees as code and makes random URLs and rules, for tests of programs
//     that rewrite.
//   - [github.com/readdress/readdress/rewrite/rewritetest/rewritegen] makes the
//     same ones for gopter, and shrinks them.
//
// The command cmd/readdress explains, lints, tests, compares and converts
// manifests by these packages.
//
// # The way of a request
//
// A configuration is a list of rules. rewrite.Compile turns it into a
// rewrite.Program, or says everything that is wrong with it; a program never
// changes, so goroutines share it and a new configuration is one atomic store
// of a pointer. Each request then takes these steps, of which every one but
// the first two may be left out:
//
//  1. rewrite.ParseTarget splits the request line, or rewritehttp.URL takes
//     the URL from an http.Request. The path stays escaped, as it was sent.
//  2. rewrite.Input.Clean refuses what no listener should accept, before
//     anything looks at the URL, so that matching and rewriting see one form.
//  3. rewrite.Program.Apply runs the rules of rewrite.BeforeLocation, which
//     may change the route.
//  4. The caller chooses a route, with a route.Table or its own code, and with
//     it a service; or it answers with a redirect, which an ingress.Redirector
//     makes of the client's URL.
//  5. Apply runs the rules of rewrite.AfterLocation.
//  6. The caller chooses an instance, with a split.Picker or its own code. On a
//     copy of the URL, afresh for each attempt, Apply runs the rules of
//     rewrite.Forward.
//
// A step that refuses leaves the URL as it was, and the caller answers 400 Bad
// Request. rewrite.Result says what each Apply did; of it rewrite.NewInverse, or
// rewritehttp.ModifyResponse, takes redirects and cookies of the response back.
//
// The programs examples/gateway, on net/http, and examples/rawproxy, on the bytes
// of a connection, take these steps.
package readdress
