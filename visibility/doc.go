// Package visibility is neither authorization nor secrecy: it decides which
// services of a mesh a client finds, as Istio's serviceEntryVisibility does.
//
// Whoever knows an address can still connect to it, and an AuthorizationPolicy
// says whether it may. The objects stay readable to those whom RBAC lets read
// them, and hidden entries are in what this package lists as they are in the
// dumps of a data plane. Hidden means absent: a client asks for a name, and what
// it may not see is passed over as if it had never been written, so that one
// team's example.com breaks nobody else's.
//
//	config, err := visibility.ParseConfig(meshConfig)
//	…
//	exportTo, err := visibility.ParseDefaultExportTo(meshConfig)
//	…
//	resolver := visibility.Off(exportTo...) // config is nil: visibility is not configured
//	if config != nil {
//		resolver, err = visibility.Compile(config)
//	}
//	…
//	index, err := visibility.NewIndex(resolver, namespaceLabels, entries, nil)
//	…
//	ref, ok := index.LookupHost("api.example.com", clientNamespace)
//	if !ok { … } // forward the query upstream
//
// # What nothing means
//
// Where a configuration says nothing, everything is Public, as Istio defines it:
// without a configuration at all ([Off]), with an empty one, with a default that
// is unspecified and in a policy without a visibility, which is a [Warning]. A
// mistake is not nothing. [ParseConfig] refuses a misspelt field, which Istio
// drops, and [Compile] returns no Resolver beside an error; keep the last one
// that compiled. Where a program says nothing, nothing is shown: a nil or zero
// [Resolver], a zero [Level], [Scope] or [Index] and an unknown client see and
// show nothing.
//
// # Policies
//
// The policies of a [Config] are asked in order, and the first decides of which
// all rules match the labels of the entry's namespace; else the default does.
// That makes visibility a function of the namespace. An [Index] resolves each
// namespace once.
//
// # Data planes
//
// Entries also say themselves to whom they are exported. Who obeys what depends
// on the data plane:
//
//   - [Ambient]: visibility alone. exportTo is ignored.
//   - [Envoy]: exportTo, and with applyToSidecars only as far as the visibility
//     reaches: the intersection, which is never wider than either. Without it
//     even an entry of visibility None reaches sidecars.
//   - [Gateway]: as Envoy.
//
// Kubernetes Services are always Public. Namespaces that discoverySelectors
// exclude are the caller's to leave out.
//
// # Lookups
//
// Of all entries with one host, each namespace has one winner, and one of all is
// canonical: a Kubernetes Service first, then the oldest, then by namespace and
// name. Filter first, then choose: of what it may see, a client gets what is of
// its own namespace, else the canonical one. [Index.LookupHost],
// [Index.LookupDNS] and [Index.LookupAddr] say how wildcards and prefixes come
// in. Everything is decided when an index is made, so a lookup allocates nothing
// and costs the same however many entries are hidden from it. [Index.With] makes
// a changed index without making it anew.
//
// # Questions
//
// [Index.Explain] says why a client gets what it gets, [Index.Audience] who may
// see an entry, [Index.VisibleFrom] what a namespace may see, and [Diff] what
// another configuration would change before anybody has it. [Index.Conditions]
// is what belongs in the status of an entry.
package visibility
