package visibility

// Why a client gets what it gets.

// A Reason says why an entry is what a client gets, or is not. Reasons are
// stable.
type Reason string

const (
	OwnNamespace    Reason = "own-namespace"    // found: it is of the client's namespace
	Canonical       Reason = "canonical"        // found: it is the first of those for everyone
	ExportTo        Reason = "export-to"        // found or hidden because of what exportTo names
	HiddenNamespace Reason = "hidden-namespace" // hidden: it is of visibility Namespace in another one
	HiddenNone      Reason = "hidden-none"      // hidden: it is of visibility None
	ShadowedBy      Reason = "shadowed-by"      // visible, but another entry comes first
	ClientUnknown   Reason = "client-unknown"   // found or hidden by IndexOptions.Unknown
	Absent          Reason = "absent"           // there is no entry, hidden or not
)

// An Explanation says what [Index.LookupHost] finds and why.
type Explanation struct {
	// Found is false if the host is absent for the client. Reason is then that
	// of the first of Hidden.
	Found  bool
	Reason Reason
	// Host, Ref, Level and Policy are of the entry that was found, or else of
	// the first that is hidden: the host as it is found, such as *.example.com,
	// in lower case and in ASCII (see [Entry].Hosts), the entry, its visibility
	// and the index in Config.Policies of the policy that decided it. -1 says
	// that the default did, or that no policy had to.
	Host   string
	Ref    Ref
	Level  Level
	Policy int
	// Hidden are the candidates that the client may not see, in the order in
	// which they were passed over: what ztunnel logs when it debugs.
	Hidden []Candidate
	// Shadowed are the candidates that it may see and does not get.
	Shadowed []Candidate
}

// A Candidate is an entry that a client does not get, though its host matches.
type Candidate struct {
	Host   string
	Ref    Ref
	Level  Level
	Policy int
	Reason Reason
	By     Ref // the entry that shadows it
}

// Explain says what [Index.LookupHost] returns, why, and which entries it
// passes over on the way: those of the hosts that match, from the exact one on
// to the one where something was found. The cost is linear in these.
func (x *Index) Explain(host, clientNS string) Explanation {
	e := Explanation{Reason: Absent, Policy: -1}
	name, ok := searchName(host)
	if x == nil || x.entries == nil || !ok {
		return e
	}
	hash := x.hashName(clientNS)
	for key := range keysOf(string(lower(nil, name))) {
		s := x.host(key)
		if s == nil {
			continue
		}
		var got *record
		own := false
		if x.sees(clientNS) {
			got, own = s.view.pick(clientNS, hash, x.unknown == UnknownAll)
		}
		x.explainSlot(&e, hostOf(key), s.candidates, got, clientNS)
		if got != nil {
			e.Found, e.Reason = true, foundBy(got, own, clientNS)
			e.Host, e.Ref, e.Level, e.Policy = hostOf(key), got.Ref, got.level, got.policy
			return e
		}
	}
	if len(e.Hidden) > 0 {
		c := &e.Hidden[0]
		e.Reason, e.Host, e.Ref, e.Level, e.Policy = c.Reason, c.Host, c.Ref, c.Level, c.Policy
	}
	return e
}

// keysOf goes through the keys under which a name is searched: itself and
// what begins with each of its dots.
func keysOf(name string) func(yield func(key string) bool) {
	return func(yield func(string) bool) {
		for i := range len(name) {
			if (i == 0 || name[i] == '.') && !yield(name[i:]) {
				return
			}
		}
	}
}

// explainSlot notes the candidates that are not got.
func (x *Index) explainSlot(e *Explanation, host string, candidates []*record, got *record, client string) {
	for _, r := range candidates {
		if r == got {
			continue
		}
		c := Candidate{Host: host, Ref: r.Ref, Level: r.level, Policy: r.policy}
		if x.shows(r, client) {
			c.Reason = ShadowedBy
			if got != nil {
				c.By = got.Ref
			}
			e.Shadowed = append(e.Shadowed, c)
			continue
		}
		c.Reason = x.hiddenBy(r, client)
		e.Hidden = append(e.Hidden, c)
	}
}

// shows reports whether the client may see the record.
func (x *Index) shows(r *record, client string) bool {
	switch {
	case client != "" || x.unknown == UnknownPublic:
		return r.scope.Allows(client)
	case x.unknown == UnknownAll:
		return !r.scope.nobody()
	}
	return false
}

// foundBy returns why a client gets r.
func foundBy(r *record, own bool, client string) Reason {
	switch {
	case own:
		return OwnNamespace
	case r.scope.everyone:
		return Canonical
	case client == "":
		return ClientUnknown
	}
	return ExportTo
}

// hiddenBy returns why a client does not see r.
func (x *Index) hiddenBy(r *record, client string) Reason {
	if x.plane != Ambient && x.resolver != nil && x.resolver.valid {
		if !x.resolver.Scope(Public, r.Namespace, r.ExportTo).Allows(client) {
			return ExportTo
		}
	}
	switch {
	case r.scope.everyone:
		return ClientUnknown
	case r.level == Namespace:
		return HiddenNamespace
	}
	return HiddenNone
}
