package visibility

// What an Index holds, and how it comes to hold it.

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// A DataPlane says by which rules an entry is hidden.
type DataPlane uint8

const (
	// Ambient is ztunnel and waypoints: visibility decides and exportTo is
	// ignored.
	Ambient DataPlane = iota
	// Envoy is sidecars: exportTo decides, and with ApplyToSidecars visibility
	// caps it.
	Envoy
	// Gateway is ingress and egress gateways: as Envoy, except that an entry
	// for everyone is not preferred for being of the gateway's own namespace.
	// Where that is a Service, neither is a ServiceEntry of that namespace.
	Gateway
)

// Unknown says what is shown to a client whose namespace is "".
type Unknown uint8

const (
	UnknownDeny   Unknown = iota // nothing
	UnknownPublic                // what everyone may see
	UnknownAll                   // whatever anybody may see, as ztunnel does for what comes in
)

// IndexOptions say for whom an Index is.
type IndexOptions struct {
	DataPlane DataPlane
	Unknown   Unknown
	// ClusterDomain is the DNS suffix of the cluster; "" means cluster.local. Dots
	// around it are ignored, and so is case.
	ClusterDomain string
}

// An Index answers which entry a host name or an address is for a client. It is
// immutable and safe for concurrent use; [Index.With] makes changed ones that
// share most of its memory. A nil or zero Index knows no entries.
type Index struct {
	resolver   *Resolver
	plane      DataPlane
	unknown    Unknown
	cluster    string // .svc. and the cluster domain, in lower case
	seed       maphash.Seed
	namespaces *table[namespace]
	entries    *table[record]
	hosts      *table[hostSlot]
	wildcards  lengths // of the keys of wildcards, in bytes
	addresses  *table[addressSlot]
	prefixes   [2]lengths // of IPv4 and IPv6 prefixes that are no single address, in bits
}

// A namespace has labels or entries, or both. It is immutable.
type namespace struct {
	name    string
	labels  map[string]string
	level   Level // of its ServiceEntries
	policy  int
	records *table[record]
}

// NewIndex makes the index of the entries, in any order. namespaces has the
// labels of each; one that is missing has none, see [Resolver.Resolve]. Nothing
// that is passed is kept, except opts, which nil means the zero IndexOptions.
//
// Entries with a fault, among them a second one with the same Ref, are left
// out: the error, which is [Errors], has every fault, and the index beside it
// has the other entries. Only with options that mean nothing there is no index.
// Entries in namespaces that discoverySelectors exclude do not exist and are not
// to be passed.
//
// With a nil or zero Resolver the index hides everything, Services too. The
// cost is linear in hosts, addresses and names in exportTo, but for sorting.
func NewIndex(r *Resolver, namespaces map[string]map[string]string, entries []Entry, opts *IndexOptions) (*Index, error) {
	if opts == nil {
		opts = new(IndexOptions)
	}
	var errs Errors
	if opts.DataPlane > Gateway {
		errs.addf("options.dataPlane", "there is no data plane %d: use Ambient, Envoy or Gateway", opts.DataPlane)
	}
	if opts.Unknown > UnknownAll {
		errs.addf("options.unknown", "there is no such choice as %d: use UnknownDeny, UnknownPublic or UnknownAll", opts.Unknown)
	}
	cluster := "cluster.local"
	if domain := strings.Trim(opts.ClusterDomain, "."); domain != "" {
		var err error
		if cluster, err = hostname.ParseName(domain); err != nil {
			errs.addf("options.clusterDomain", "%s: %w", quote(domain), err)
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	x := &Index{
		resolver:   r,
		plane:      opts.DataPlane,
		unknown:    opts.Unknown,
		cluster:    ".svc." + cluster,
		seed:       maphash.MakeSeed(),
		namespaces: newTable[namespace](),
		entries:    newTable[record](),
		hosts:      newTable[hostSlot](),
		wildcards:  newLengths(maxName + 1),
		addresses:  newTable[addressSlot](),
		prefixes:   [2]lengths{newLengths(32), newLengths(128)},
	}
	return x.With(Changes{Namespaces: namespaces, Set: entries})
}

// Entry returns an entry. Its slices must not be changed.
func (x *Index) Entry(ref Ref) (Entry, bool) {
	if r := x.record(ref); r != nil {
		return r.Entry, true
	}
	return Entry{}, false
}

// Level returns the visibility of an entry, and the index in Config.Policies of
// the policy that decided it, -1 if it was the default or no policy had to,
// because the entry is a Service. An unknown entry is Unspecified.
func (x *Index) Level(ref Ref) (Level, int) {
	if r := x.record(ref); r != nil {
		return r.level, r.policy
	}
	return Unspecified, -1
}

// Refs returns all entries, hidden ones too, in the order of [Ref.Compare].
func (x *Index) Refs() []Ref {
	if x == nil || x.entries == nil {
		return nil
	}
	refs := make([]Ref, 0, x.entries.len)
	for r := range x.entries.all {
		refs = append(refs, r.Ref)
	}
	slices.SortFunc(refs, Ref.Compare)
	return refs
}

// judge sets the visibility of a record and who sees it.
func (x *Index) judge(r *record, ns *namespace) {
	r.level, r.policy = ns.level, ns.policy
	if r.Kind == Service && x.resolver != nil && x.resolver.valid {
		r.level, r.policy = Public, -1
	}
	if x.plane != Ambient {
		r.scope = x.resolver.Scope(r.level, r.Namespace, r.ExportTo)
		return
	}
	switch r.level {
	case Public:
		r.scope = Scope{everyone: true}
	case Namespace:
		r.scope = only(r.Namespace)
	default:
		r.scope = Scope{}
	}
}

// String returns how much the index holds, for a log.
func (x *Index) String() string {
	if x == nil || x.entries == nil {
		return "0 entries"
	}
	return fmt.Sprintf("%d entries, %d hosts, %d addresses", x.entries.len, x.hosts.len, x.addresses.len)
}
