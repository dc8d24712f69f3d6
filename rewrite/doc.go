// Package rewrite is an engine for URL rewriting: rules about the scheme, the
// host, the path and the query of a request are compiled into a [Program],
// which then runs on every request and need not allocate. It is the part of a
// proxy that decides what a URL becomes, and nothing else: it opens no
// connection, starts no goroutine and knows no HTTP library.
//
//	program, err := rewrite.Compile([]rewrite.Rule{
//		{Action: rewrite.TrimPathPrefix("/api")},
//		{Action: rewrite.SetQuery("via", "gateway")},
//	}, nil)
//	…
//	u, err := rewrite.ParseTarget("https", hostHeader, requestTarget)
//	…
//	if err := input.Clean(&u, scratch); err != nil { … } // answer 400
//	result, err := program.Apply(rewrite.AfterLocation, &u, scratch)
//	if err != nil { … } // answer 400
//
// # URLs
//
// A [URL] is four strings as they stand on the wire. Its path is the escaped
// path, and stays so: nothing in this package decodes a path to decide about
// it, so %2F never becomes a slash, and what was checked is what is sent.
// Prefixes are compared octet by octet, so /%61pi is below /api as RFC 3986
// section 6.2.2 has it, and only where a segment ends, so /apix is not.
//
// [Input.Clean] judges a URL once, before anything is looked up, and brings it
// into the form that everything behind it relies on. [Program.Apply] takes a
// clean URL, and leaves one: it refuses only what it would itself create, such
// as a dot-segment that was not there before.
//
// # Rules
//
// A [Rule] is data: an [Action] made by a constructor, such as
// [TrimPathPrefix], at a [Hook], in an order. [Compile] judges all rules at
// once and reports everything that is wrong with any of them. Rules have a
// text form ([Action.String]) and a JSON form:
//
//	{"hook": "AfterLocation", "order": 1, "action": {"trimPathPrefix": "/api"}}
//
// The actions of a hook run in order, each on what the one before it has left,
// and the checks of the path are made once, on the result. An action that does
// not match leaves the URL alone; that is no error.
//
// # Parameters
//
// Constructors only record what they are given; Compile judges it.
//
// Path parameters, regular expressions aside, are URL text: a valid %HH stays,
// what needs escaping is escaped. A bare "%", "?", "#", a control byte, a
// dot-segment, "//" or an empty parameter does not compile. Prefixes are
// compared on escaped bytes: an escaped unreserved octet equals its letter,
// hexadecimal case does not matter, letter case does, and %2F never is a slash.
//
// Query names and values are plain text: all but unreserved bytes are escaped
// when they are written, and names are compared with the decoded key of a pair.
// A query is split at "&" alone.
//
// Hosts are written as people write them: names are mapped to lower case and to
// A-labels, one final dot is dropped, and an IPv6 address stands in brackets.
//
// # Errors and answers
//
// Every error of Clean and Apply matches [ErrRefused]: answer 400. Both decide
// before they write, so the URL is as it was. A [Result] tells what Apply did:
// the components that changed, and which prefix of the path was cut and what
// was put in its place, which is what X-Forwarded-Prefix needs.
// [Program.Explain] tells people the same, rule by rule.
//
// # The way back
//
// A response speaks of the URLs that its upstream knows. [NewInverse] undoes for
// one response what Apply did to the request: Location, Refresh, the Path and
// Domain of cookies, Link. [Program.Invertible] says at load which rules it
// cannot undo, and [CompileMappings] serves where it cannot.
//
// # Performance
//
// Compile runs the chain of path actions symbolically, on the form "constant
// text, then the rest of the path", so that however long the chain is, the
// path is compared once with each prefix that matters and joined once. The
// chain of query actions becomes one fate for each name that they mention, and
// one pass over the raw query. Regular expressions that are prefixes in
// disguise, such as ^/api(/|$)(.*) with /$2, become the prefix action; others
// are bounded, because package regexp needs time for each instruction and
// byte. [Program.String] shows the outcome.
//
// Cutting and setting needs no memory, because the results are substrings of
// the URL and constants of the program. Joining takes memory from a [Scratch],
// if there is one: without a lifetime rule from chunks that the garbage
// collector owns, or, for callers who call [Scratch.Reuse], from memory that
// is written again. The build tag purego leaves out the one file that uses
// package unsafe for that.
//
// # Concurrency
//
// Programs, rules, actions and inputs are not changed by use and may be shared
// by goroutines. A URL and a Scratch belong to one goroutine at a time.
package rewrite
