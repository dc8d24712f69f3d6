// Package annotation reads the URL rewrites that people write into the
// annotations of a Kubernetes Ingress, and makes rules of package rewrite of
// them:
//
//	bfe.ingress.kubernetes.io/rewrite-url.path-prefix-trim: '[{"params": "/api"}]'
//	bfe.ingress.kubernetes.io/rewrite-url.query-rename: '[{"params": {"name": "user"}, "order": 1}]'
//
//	plan, err := annotation.Parse(ingress.Annotations, nil)
//	…
//	program, err := plan.Compile()
//
// The grammar is that of the ingress controller of BFE, read strictly: what
// that controller guesses or ignores is an error here, and the order of
// actions is never left to chance.
//
// # Grammar
//
// The key of an annotation is a prefix, [DefaultPrefix] or [Options].Prefix,
// and one of these names:
//
//	name                     params                                   action
//	host                     string                                   rewrite.SetHost
//	host-from-path-prefix    true or "true"                           rewrite.HostFromPathPrefix
//	path                     string                                   rewrite.SetPath
//	path-prefix-add          string                                   rewrite.AddPathPrefix
//	path-prefix-trim         string                                   rewrite.TrimPathPrefix
//	path-prefix-strip        whole number from 1, or its digits       rewrite.StripPathSegments
//	                         as a string
//	query-add                object from string to string             rewrite.AddQuery, for each pair
//	query-delete             list of strings                          rewrite.DeleteQuery
//	query-rename             object from string to string             rewrite.RenameQuery, for each pair
//	query-delete-all-except  string, or list of strings               rewrite.KeepQuery
//
// The value is a JSON list with an item for each hook at which the action is
// to run:
//
//	value = "[" item *( "," item ) "]"
//	item  = "{" field *( "," field ) "}"      each field at most once, in any order
//	field = "params" ":" params               required
//	      / "when"   ":" hook                 absent: "AfterLocation"
//	      / "order"  ":" integer              of 32 bits; absent: 0
//	hook  = "BeforeLocation" / "AfterLocation" / "Forward"
//
// In place of an object or a list, params may be a string that holds one, such
// as "{\"name\": \"alice\"}". So a string for query-delete-all-except that
// begins with a bracket, white space before it not counted, is a list; write a
// name like that in a list.
//
// Nothing may be empty but the value of a query-add. Names of fields and hooks
// are spelt as above, letter case included; unknown and duplicate fields and
// names, and a hook twice in one annotation, are errors. The text is strict
// JSON in UTF-8, without a byte-order mark, lone surrogates or, in strings,
// control characters (U+0000 to U+001F, U+007F, U+0085, U+2028 and U+2029),
// escaped or not. A value has at most 64 KiB and nests at most 8 deep; all
// annotations of a map together have at most 256 KiB, counted as Kubernetes
// does, and a hook at most 64 actions.
//
// # Order
//
// The actions of a hook run by their order, lowest first. Those of one object
// run as they stand in it. If two annotations have actions at one hook with
// the same order, then it must not matter which is first, on any URL; otherwise
// it is an error of code [CodeOrderTie], or with [Options].TableOrder a warning
// and the order of the table above. host excludes host-from-path-prefix, and
// path excludes the three that begin with path-prefix, at any hooks.
//
// # Errors
//
// [Parse] reports every fault of all annotations at once, as an [ErrorList]; at
// most 256, of which one of code [CodeLimit] without a key says that there are
// more. A fault in one item hides none in the others. A fault of JSON syntax
// hides what follows it in its value or, in a string that holds an object or a
// list, in that string; also, since there is no end to the item, what the item
// lacks and its part in duplicates and ties. Of what precedes it, it hides two
// things that it explains itself: the name before a missing colon, and what is
// wrong with a string right before it if the closing quote was likely not meant
// as one: if the next byte is not white space, a comma, a colon, a closing
// bracket or a quote; or if an opening bracket is before the quote and, after
// white space, no comma or closing bracket behind it.
//
// Each [Error] has the key, the item, the byte, a stable [Code], and what to
// write instead. [Error.Caret] draws it for a terminal; [Error.FieldPath] names
// the field as Kubernetes does. The same input gives the same rules, or the
// same text of errors, every time.
//
// What parses, compiles: hosts and paths are judged as [rewrite.Compile] judges
// them. [Format] is the way back from rules to annotations.
package annotation
