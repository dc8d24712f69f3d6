// Package route finds the route of a request by its host, its path and, where
// asked for, its scheme, method, headers, cookies and query.
//
//	table, err := route.NewTable([]route.Route[string]{
//		{Pattern: route.Pattern{Host: "example.com", Path: "/api"}, Value: "api"},
//		{Pattern: route.Pattern{Host: "*.example.com"}, Value: "tenants"},
//	}, nil)
//	service, ok := table.Lookup("EXAMPLE.com:8080", "/api/users") // "api"
//
// The value of a route is the caller's, such as an index into its services or a
// pointer to what it compiled for them. With one that has no pointers the
// garbage collector has nothing to follow in a table, however large.
//
// # Requests
//
// Tables see the host and the path of a clean URL, as [rewrite.Input.Clean]
// leaves it, and paths are compared with the comparison of package rewrite:
// where a [Prefix] matches, [rewrite.TrimPathPrefix] of the same text changes
// the path.
//
// # Precedence
//
// The best host decides first: the exact one, then the longest wildcard, then
// the empty one. Routes of the others are not tried, unless
// [Options].TryNextHost is set. Within it:
//
//   - an [Exact] path, then each [RegexFirst] in order of declaration, then the
//     longest [Prefix] or [TextPrefix], a Prefix first where both are as long,
//     then each [Regex] in order of declaration;
//   - on one pattern a condition on the scheme, then one on the method, then the
//     greater number of conditions on headers, then on cookies, then on the
//     query;
//   - then the order of declaration. Of two routes with equal patterns and equal
//     conditions the later is never chosen, which is what [Table.Conflicts] says.
//
// The first route in this order whose path matches and whose conditions hold is
// the one. [Table.Explain] shows the others, and why each lost.
//
// # Lookups
//
// [Table.Lookup] knows host and path alone, [Table.Match] knows conditions, and
// [Table.Route] also runs the rewrite rules that may change which route it is.
package route
