// Package ingress turns the Ingresses of many controllers into entries of none:
// which host and path, which backends, rewritten how, redirected where.
//
//	d, err := ingress.NewDispatcher(
//		ingress.Registration{Rewriter: nginx.New(nil)},
//		ingress.Registration{Rewriter: haproxy.New(nil)},
//	)
//	result := d.Dispatch(ingresses, cluster)   // entries and problems
//	table, problems := ingress.Build(result.Entries, cluster, newSite)
//
// An [Ingress] decodes itself from JSON, to which YAML is to be converted.
// A [Rewriter] knows one dialect, and a [Dispatcher] gives each [Ingress] to the
// first that claims it: by the class, which [Cluster.Class] resolves, else by
// its annotations. Each returns an [Entry] for a host and a path, which is data
// that can be printed, compared and stored. [Build] compiles every entry once,
// asks the caller for the value to find, and makes the [route.Table] of them.
//
// # What a proxy does
//
// The value that newSite makes of an entry usually holds its [Compiled] and a
// picker of its backends. Of a request, client being its clean URL, it then tells:
//
//	u := client
//	s, _, err := table.Route(&u, request, program, scratch) // runs BeforeLocation; 404 or 400
//	status, location, err := s.Redirect.Answer(ingress.RedirectRequest{URL: client, Method: method})
//	if status != 0 { … } // the answer
//	_, err = s.Program.Apply(rewrite.AfterLocation, &u, scratch)
//	i, err := s.picker.Pick() // package split; 500
//	attempt := u              // for each attempt
//	_, err = s.Forward[i].Apply(rewrite.Forward, &attempt, scratch)
//
// An error of Apply and Answer is a 400. The limits and header operations of the
// [Entry], and then those of its [Backend], are the proxy's to do.
//
// # One operator's mistake stops nobody
//
// Dispatch and Build serve what is good and list what is not. A [Problem] names
// the object, the rule and path, the annotation and the byte, says what is wrong
// and what to write instead, and has a code that stays. An Ingress with a fault
// loses what is faulty and no more.
//
// # Other objects
//
// HTTPRoutes and HTTPProxies become entries by the functions of packages gateway
// and contour. HTTPRoutes need a table of their own, because they rank hosts by
// other [route.Options] than Ingresses do. Ask the tables one after the other: one
// that returns [route.ErrNoRoute] has left the URL as it was.
//
// # Writing a rewriter
//
// Three methods make a [Rewriter]. [Each] makes one of two functions, for a
// dialect in which every Ingress stands for itself; [Cluster.Claims],
// [Cluster.Paths] and [Cluster.Resolve] do what all dialects have in common.
// Package ingresstest says whether one keeps the contract. An external rewriter
// replaces the built-in one of its name.
//
// # Stability of entries
//
// [Source] names the place an entry came from and is unique in a [Result]. A
// caller that reloads keeps by it what it has made for an entry, such as a
// weighted picker and how far it is.
//
// The functions here have no state, and what they return is safe for concurrent
// use. They are for load time: they allocate, and take time linear in what they
// are given.
package ingress
