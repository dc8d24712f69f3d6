package rewrite

// The way back for headers that have URLs in a syntax of their own.

import "strings"

// Refresh returns the client's form of a Refresh, such as
// "5; url=https://host/path", whose URL is judged as Location judges it. The
// syntax is that of the HTML standard: a time, a semicolon, a comma or white
// space, and the URL, with or without "url=" in any letter case and with or
// without quotes. Every byte but those of the URL stays. A client prefix with
// the quote that is around the URL cannot be said, so the value stays.
func (v Inverse) Refresh(value string) (string, bool) {
	if hasControl(value) {
		return "", true
	}
	at, ok := refreshURL(value)
	if !ok {
		return value, false
	}
	to, ok := v.locate(at.of(value))
	if !ok {
		return value, false
	}
	if quote := value[at.from-1]; quote == '\'' || quote == '"' {
		for _, piece := range to {
			if strings.IndexByte(piece, quote) >= 0 {
				return value, false
			}
		}
	}
	return to.join(value[:at.from], value[at.end:]), true
}

// refreshURL returns where the URL of a Refresh is.
func refreshURL(value string) (at extent, ok bool) {
	i := skip(value, 0, " ")
	time := i
	if i = skip(value, i, "0123456789."); i == time || i == len(value) {
		return at, false
	}
	if c := value[i]; c != ';' && c != ',' && c != ' ' {
		return at, false
	}
	i = skip(value, i, " ")
	if i < len(value) && (value[i] == ';' || value[i] == ',') {
		i = skip(value, i+1, " ")
	}
	end := len(value)
	if len(value)-i >= 3 && equalFold(value[i:i+3], "url") {
		if eq := skip(value, i+3, " "); eq < len(value) && value[eq] == '=' {
			i = skip(value, eq+1, " ")
		}
	}
	if i < len(value) && (value[i] == '\'' || value[i] == '"') {
		quote := value[i]
		i++
		if n := strings.IndexByte(value[i:], quote); n >= 0 {
			end = i + n
		}
	}
	for end > i && value[end-1] == ' ' {
		end--
	}
	return extent{i, end}, true
}

// skip returns the index of the first byte of s from i on that is not in set.
func skip(s string, i int, set string) int {
	for i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
		i++
	}
	return i
}

// Link returns the client's form of a Link (RFC 8288), each of whose targets is
// judged as Location judges it: "</a>; rel=next, </b>; rel=prev". Parameters
// stay as they are, "anchor" among them. From where the syntax is broken,
// everything stays.
//
// Adapters leave Link alone unless they are asked: many upstreams write it for
// caches and tools, and not for the client.
func (v Inverse) Link(value string) (string, bool) {
	if hasControl(value) {
		return "", true
	}
	size, changed := len(value), false
	for at, next := nextLink(value, 0); at.end > 0; at, next = nextLink(value, next) {
		if to, ok := v.target(at.of(value)); ok {
			size += to.len() - (at.end - at.from)
			changed = true
		}
	}
	if !changed {
		return value, false
	}
	var w writer
	w.begin(nil, size)
	written := 0
	for at, next := nextLink(value, 0); at.end > 0; at, next = nextLink(value, next) {
		if to, ok := v.target(at.of(value)); ok {
			w.write(value[written:at.from])
			to.write(&w)
			written = at.end
		}
	}
	w.write(value[written:])
	return w.end(), true
}

// target is locate for the target of a link, which a ">" would end.
func (v *Inverse) target(value string) (to pieces, ok bool) {
	to, ok = v.locate(value)
	return to, ok && strings.IndexByte(to[3], '>') < 0
}

// nextLink returns where the target of the first link of value[from:] is, and
// where the next one begins. An empty extent with end 0: there is none.
func nextLink(value string, from int) (at extent, next int) {
	i := skip(value, from, " ,")
	if i == len(value) || value[i] != '<' {
		return extent{}, len(value)
	}
	end := strings.IndexByte(value[i:], '>')
	if end < 0 {
		return extent{}, len(value)
	}
	at = extent{i + 1, i + end}
	quoted := false
	for i = at.end + 1; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return at, i + 1
		}
	}
	return at, len(value)
}

// Destination returns the upstream's form of the Destination of a WebDAV request
// (RFC 4918 section 10.3), which goes the other way: from the client's world to
// the upstream's, by the rules of Location and the rewrite of this very request.
// It is false if the upstream has no such place as far as this rewrite tells:
// the authority is not the client's, or the path is not below the prefix that
// was cut. Such a request must not go on, because the upstream could take the
// Destination for one of its own URLs: answer 502 (section 9.8.5). A value that
// means the same on both sides is returned as it is. Mappings do not count.
func (v Inverse) Destination(value string) (string, bool) {
	if !v.spliced || hasControl(value) {
		return "", false
	}
	forth := Inverse{client: v.upstream, upstream: v.client, spliced: true}
	to, ok := forth.resolve(value)
	switch {
	case !ok:
		return "", false
	case to.equal(value):
		return value, true
	}
	return to.join("", ""), true
}
