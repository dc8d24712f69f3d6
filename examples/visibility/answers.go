package main

// What the commands print.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"text/tabwriter"

	"go.yaml.in/yaml/v3"

	"github.com/readdress/readdress/visibility"
)

// A row is one service, as a data plane knows it.
type row struct {
	Namespace  string   `json:"namespace" yaml:"namespace"`
	Name       string   `json:"name" yaml:"name"`
	Kind       string   `json:"kind" yaml:"kind"`
	Hostname   string   `json:"hostname" yaml:"hostname"`
	VIPs       []string `json:"vips" yaml:"vips"`
	Visibility string   `json:"visibility" yaml:"visibility"`
}

// list returns the services of a namespace, or of all.
func list(x *visibility.Index, namespace string) []row {
	rows := []row{}
	for host, ref := range x.All() {
		if namespace != "" && ref.Namespace != namespace {
			continue
		}
		r := row{ref.Namespace, ref.Name, ref.Kind.String(), host, []string{}, reach(x, ref)}
		e, _ := x.Entry(ref)
		for _, address := range e.Addresses {
			text := address.String()
			if address.IsSingleIP() {
				text = address.Addr().String()
			}
			r.VIPs = append(r.VIPs, text)
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

// reach says who may see an entry on the data plane, which need not be what its
// visibility is: Public, Namespace, or the namespaces that it is exported to.
func reach(x *visibility.Index, ref visibility.Ref) string {
	audience, _ := x.Audience(ref)
	switch {
	case audience.Everyone():
		return visibility.Public.Reason()
	case slices.Equal(audience.Namespaces(), []string{ref.Namespace}):
		return visibility.Namespace.Reason()
	}
	return audience.String()
}

func parseFormat(s string) (func(io.Writer, []row) error, error) {
	switch s {
	case "table":
		return table, nil
	case "json":
		return func(w io.Writer, rows []row) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(rows)
		}, nil
	case "yaml":
		return func(w io.Writer, rows []row) error {
			enc := yaml.NewEncoder(w)
			enc.SetIndent(2)
			return errors.Join(enc.Encode(rows), enc.Close())
		}, nil
	}
	return nil, errors.New("write table, json or yaml")
}

func table(w io.Writer, rows []row) error {
	t := newTable(w)
	fmt.Fprintln(t, "NAMESPACE\tNAME\tKIND\tHOSTNAME\tVIPS\tVISIBILITY")
	for _, r := range rows {
		vips := cmp.Or(strings.Join(r.VIPs, ","), "-")
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", r.Namespace, r.Name, r.Kind, r.Hostname, vips, r.Visibility)
	}
	return t.Flush()
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// who prints what each namespace gets for each host.
func who(x *visibility.Index, m *manifest, w io.Writer) error {
	clients := slices.Sorted(maps.Keys(m.namespaces))
	var hosts []string
	known := make(map[string]bool)
	for host := range x.All() {
		hosts = append(hosts, host)
		known[host] = true
	}
	t := newTable(w)
	fmt.Fprintf(t, "HOST\t%s\n", strings.Join(clients, "\t"))
	for _, host := range slices.Compact(hosts) {
		fmt.Fprint(t, host)
		name := nameFor(host, known)
		for _, client := range clients {
			got := "-"
			if ref, ok := x.LookupHost(name, client); ok {
				got = ref.Namespace + "/" + ref.Name
			}
			fmt.Fprint(t, "\t", got)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// nameFor returns a name that stands for a host: for a wildcard one below it that
// no entry has.
func nameFor(host string, known map[string]bool) string {
	below, wildcard := strings.CutPrefix(host, "*.")
	if !wildcard {
		return host
	}
	for i := 0; ; i++ {
		if name := fmt.Sprintf("any%d.%s", i, below); !known[name] {
			return name
		}
	}
}

// explain says what a client gets for a host, and why, or for an address.
func explain(x *visibility.Index, host, client string, w io.Writer) {
	if addr, err := netip.ParseAddr(host); err == nil {
		if ref, ok := x.LookupAddr(addr, client); ok {
			fmt.Fprintf(w, "%v from %s: %v\n", addr, client, ref)
		} else {
			fmt.Fprintf(w, "%v from %s: unknown traffic, so it is passed through\n", addr, client)
		}
		return
	}
	e := x.Explain(host, client)
	if e.Found {
		fmt.Fprintf(w, "%s from %s: %v, by %s (%s; %s)\n", host, client, e.Ref, e.Host, e.Reason, decided(e.Ref, e.Level, e.Policy))
	} else {
		fmt.Fprintf(w, "%s from %s: absent, so the query is forwarded upstream (%s)\n", host, client, e.Reason)
	}
	for _, c := range e.Hidden {
		fmt.Fprintf(w, "  passed over: %v, by %s (%s; %s)\n", c.Ref, c.Host, c.Reason, decided(c.Ref, c.Level, c.Policy))
	}
	for _, c := range e.Shadowed {
		fmt.Fprintf(w, "  comes later: %v, by %s (%s; %s)\n", c.Ref, c.Host, c.Reason, decided(c.Ref, c.Level, c.Policy))
	}
}

// decided says which visibility an entry has and what gave it that.
func decided(ref visibility.Ref, l visibility.Level, policy int) string {
	switch {
	case ref.Kind == visibility.Service:
		return l.String() + " as Services are"
	case policy < 0:
		return l.String() + " by default"
	}
	return fmt.Sprintf("%v by policies[%d]", l, policy)
}

// diff prints what changes for clients if the file after takes the place of
// before. What they lack, m has.
func diff(m *manifest, opts *visibility.IndexOptions, before, after string, stdout, stderr io.Writer) error {
	var both [2]*visibility.Index
	for i, file := range []string{before, after} {
		n, err := read(file, false)
		if err != nil {
			return err
		}
		if n.configured == (place{}) {
			n.config, n.exportTo, n.configured = m.config, m.exportTo, m.configured
		}
		if len(n.namespaces) == 0 {
			n.namespaces, n.entries, n.places = m.namespaces, m.entries, m.places
		}
		if both[i], err = n.index(opts, stderr); err != nil {
			return err
		}
	}
	changes := visibility.Diff(both[0], both[1])
	for _, c := range changes {
		clients := "every namespace"
		if c.Only != nil {
			clients = strings.Join(c.Only, ", ")
		} else if c.Except != nil {
			clients += " but " + strings.Join(c.Except, ", ")
		}
		name := c.Name
		if c.DNS {
			name += " in DNS"
		}
		fmt.Fprintf(stdout, "%s: %v -> %v for %s\n", name, c.Before, c.After, clients)
	}
	if len(changes) == 0 {
		fmt.Fprintln(stdout, "nothing changes")
	}
	return nil
}
