package route

// String: the index as text, for tools and tests.

import (
	"fmt"
	"strings"
)

// String returns the table as text: the hosts, of each the patterns in order of
// precedence and how they are found, and the routes and conditions of each. It
// does not print values.
func (t *Table[T]) String() string {
	if t == nil {
		return ""
	}
	return t.index.String()
}

func (x *index) String() string {
	var b strings.Builder
	for h := range x.hostCount() {
		records := x.run(h)
		if len(records) == 0 {
			continue
		}
		name := x.pattern(h, &records[0]).Host
		if name == "" {
			name = "any host"
		}
		how := "scan"
		if x.hosts[h].large != 0 {
			how = "hash"
		}
		fmt.Fprintf(&b, "%s: %s\n", name, how)
		for i := range records {
			p := x.pattern(h, &records[i])
			fmt.Fprintf(&b, "\t%-10s %s\n", p.Type, p.Path)
			for _, m := range x.routes(&records[i]) {
				fmt.Fprintf(&b, "\t\troute %d%s\n", m.route, &x.when[m.when])
			}
		}
	}
	return b.String()
}

// String returns the conditions, each behind a comma.
func (c *conditions) String() string {
	var b strings.Builder
	if c.scheme != "" {
		b.WriteString(", scheme " + c.scheme)
	}
	if len(c.methods) > 0 {
		b.WriteString(", method " + strings.Join(c.methods, " or "))
	}
	for _, list := range []struct {
		name string
		of   []condition
	}{{"header", c.headers}, {"cookie", c.cookies}, {"query", c.query}} {
		for _, c := range list.of {
			b.WriteString(", " + list.name + " " + c.Condition.String())
		}
	}
	return b.String()
}
