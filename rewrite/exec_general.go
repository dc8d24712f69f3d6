package rewrite

// Hooks that run more than prefixes and constants, instruction by instruction.

import (
	"strings"

	"github.com/readdress/readdress/internal/hostname"
)

// A machine runs a hook that has more to its path and host than prefixes and
// constants (a host that depends on the request, regular expressions), or a
// path that is none.
type machine struct {
	hook    *hookProgram
	s       *Scratch
	end     *inst  // the end that was reached
	base    string // what the path instructions work on: the path, or what an expression made
	off     int    // of what is left of base
	to      authority
	star    bool         // the path is "*"
	queries regexQueries // of the expressions that matched
}

// run runs the hook on u, which it does not change.
func (m *machine) run(u *URL) error {
	hook := m.hook
	in := hook.first
	if u.Path == "*" {
		in, m.star = hook.star, true
	} else if hook.aims&PathChanged != 0 && (u.Path == "" || u.Path[0] != '/') {
		return ErrPath
	}
	if hook.general {
		m.to = authority{u.Scheme, u.Host}
	} else {
		m.to = hook.target
	}
	for in.op != codeEnd {
		outcome, err := m.step(in)
		if err != nil {
			return err
		}
		in = &hook.code[in.next[outcome]]
	}
	m.end = in
	return nil
}

// step executes one instruction.
func (m *machine) step(in *inst) (outcome int, err error) {
	switch in.op {
	case codeTrim, codeText, codeStrip:
		var n int
		n, outcome = in.take(m.base[m.off:])
		m.off += n
		return outcome, nil
	case codeHost:
		segment, ok := firstSegment(m.base[m.off:], in.flag)
		if !ok {
			return onNo, nil
		}
		name := segment
		if in.text != "" { // a text prefix left half a segment
			name = m.s.join(in.text, segment)
		}
		if !hostAllowed(name, m.hook.hosts) {
			return onNo, ErrHost
		}
		m.to.host = name
		m.off += len(segment)
		if !in.flag {
			m.off++
		}
		return onSlash, nil
	case codeRegex:
		return m.regex(in)
	case codeFail:
		return onNo, ErrHost
	case codeSetHost:
		m.to.host = in.text
	case codeScheme:
		m.to.scheme = in.text
	default:
		host, ok := in.setHost(m.to.host, m.to.scheme, m.s)
		if !ok {
			return onNo, ErrHost
		}
		m.to.host = host
	}
	return onNo, nil
}

// regex runs a regular expression on the path and, if it matches, makes its
// result the base.
func (m *machine) regex(in *inst) (outcome int, err error) {
	path := m.base[m.off:]
	if in.flag {
		path = ""
	}
	if len(in.text)+len(path) >= in.re.allow {
		return onNo, ErrBudget
	}
	out, query, ok, err := in.re.rewrite(m.s.concat(in.text, path), intermediate(m.hook.max), m.s)
	if err != nil || !ok {
		return onNo, err
	}
	m.base, m.off = out, 0
	if in.re.template.hasQuery {
		m.queries.add(in.n, query)
	}
	return onSlash, nil
}

// intermediate returns the number of bytes that the result of an expression or
// of a pass may have, where others follow that may cut it: more than may be
// left of it, but not what takes any amount of memory.
func intermediate(most int) int { return max(most, defaultMaxLength) }

// firstSegment returns the first segment of path, which a slash must follow.
// With word, path begins within the segment.
func firstSegment(path string, word bool) (segment string, ok bool) {
	if !word {
		path = path[1:]
	}
	end := strings.IndexByte(path, '/')
	if end < 0 {
		return "", false
	}
	return path[:end], true
}

// hostAllowed reports whether HostFromPathPrefix may set name. Compile leaves
// no IP addresses in allowed.
func hostAllowed(name string, allowed *hostname.AllowList) bool {
	if allowed != nil {
		return allowed.Contains(name)
	}
	bare, _ := hostname.Split(name)
	return hostname.Check(name) && !hostname.IsIP(bare)
}

// setHost runs the instructions that depend on the host. It reports false if
// the result would be no host.
func (in *inst) setHost(host, scheme string, s *Scratch) (string, bool) {
	name, port := hostname.Split(host)
	if name == "" && in.op == codeSetPort {
		return host, true
	}
	last := "" // labels behind name
	switch in.op {
	case codeSetName:
		name = in.text
	case codeSetPort:
		port = in.text
		if port == "80" && scheme == "http" || port == "443" && scheme == "https" {
			port = ""
		}
	case codeHostSuffix:
		rest, found := cutHostSuffix(name, in.text)
		if !found {
			return host, true
		}
		name, last = rest, in.more
	}
	if last == "" && port == "" {
		return name, true
	}
	n := len(name) + len(last)
	if port != "" {
		n += 1 + len(port)
	}
	var w writer
	w.begin(s, n)
	w.write(name)
	w.write(last)
	if port != "" {
		w.write(":")
		w.write(port)
	}
	out := w.end()
	return out, in.op != codeHostSuffix || hostname.Check(out)
}

// cutHostSuffix cuts the labels suffix off the end of a name, and the name's
// final dot.
func cutHostSuffix(name, suffix string) (rest string, found bool) {
	name = strings.TrimSuffix(name, ".")
	n := len(name) - len(suffix)
	if n < 0 || n > 0 && name[n-1] != '.' || !equalFold(name[n:], suffix) {
		return "", false
	}
	return name[:n], true
}
