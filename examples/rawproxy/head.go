package main

// The head of a message: where its parts are, and whether it may go on at all.

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// How much a head may have. What each field costs is bounded by that.
const (
	maxHead       = 64 << 10 // bytes
	maxFields     = 100
	maxConnection = 20 // names in Connection
)

// A head is a parsed head of a request or response.
type head struct {
	line   [3]string // method, target, version; of a response version, status, reason
	host   string
	fields []field

	connection []string // what the Connection fields name

	chunked bool
	length  int64 // of the body; -1: there is no Content-Length
	close   bool  // Connection: close
}

type field struct{ name, value string }

// A bad head is refused, and its connection closed: what comes next cannot be
// told from its body.
var errHead = errors.New("malformed HTTP/1.1 head")

// parse reads the head in buf, which ends with an empty line. It takes what
// RFC 9112 lets a sender write and nothing of what it lets a receiver tolerate:
// two readings of one message are how requests are smuggled. Clients of
// HTTP/1.0 are refused, servers are not.
func (h *head) parse(text string, request bool) error {
	*h = head{fields: h.fields[:0], connection: h.connection[:0], length: -1}
	line, rest, ok := strings.Cut(text, "\r\n")
	if !ok {
		return errHead
	}
	if h.line[0], line, ok = strings.Cut(line, " "); !ok {
		return errHead
	}
	if h.line[1], h.line[2], ok = strings.Cut(line, " "); !ok && request {
		return errHead
	}
	version := h.line[0]
	if request {
		version = h.line[2]
	}
	if version != "HTTP/1.1" && (request || version != "HTTP/1.0") {
		return errHead
	}
	if request && !isToken(h.line[0]) || !request && (!isStatus(h.line[1]) || !isFieldValue(h.line[2])) {
		return errHead
	}
	hosts := 0
	for rest != "\r\n" {
		if line, rest, ok = strings.Cut(rest, "\r\n"); !ok {
			return errHead
		}
		name, value, ok := strings.Cut(line, ":")
		value = strings.Trim(value, " \t")
		if !ok || !isToken(name) || !isFieldValue(value) || len(h.fields) == maxFields {
			return errHead
		}
		h.fields = append(h.fields, field{name, value})
		switch {
		case strings.EqualFold(name, "Host"):
			h.host = value
			hosts++
		case strings.EqualFold(name, "Content-Length"):
			n, ok := parseLength(value)
			if !ok || h.length >= 0 || h.chunked {
				return errHead
			}
			h.length = n
		case strings.EqualFold(name, "Transfer-Encoding"):
			if !strings.EqualFold(value, "chunked") || h.chunked || h.length >= 0 {
				return errHead
			}
			h.chunked = true
		case strings.EqualFold(name, "Connection"):
			if h.connection = appendTokens(h.connection, value); len(h.connection) > maxConnection {
				return errHead
			}
		}
	}
	h.close = slices.ContainsFunc(h.connection, func(name string) bool { return strings.EqualFold(name, "close") })
	if request && hosts != 1 || h.chunked && version == "HTTP/1.0" {
		return errHead
	}
	return nil
}

// hopByHop reports whether a field is about one connection (RFC 9110, 7.6.1), or
// announces the trailers that copyTrailers leaves out.
func (h *head) hopByHop(name string) bool {
	for _, own := range [...]string{"Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade", "Proxy-Authenticate", "Proxy-Authorization"} {
		if strings.EqualFold(name, own) {
			return true
		}
	}
	for _, named := range h.connection {
		if strings.EqualFold(name, named) {
			return !strings.EqualFold(name, "Host") && !strings.EqualFold(name, "Content-Length") && !strings.EqualFold(name, "Transfer-Encoding")
		}
	}
	return false
}

// Method and Header answer what conditions ask of a request. A field of several
// lines is one value, as route.Request wants it; joining allocates.
func (h *head) Method() string { return h.line[0] }

func (h *head) Header(name string) (value string, ok bool) {
	separator := ", "
	if name == "Cookie" {
		separator = "; "
	}
	for _, f := range h.fields {
		if !strings.EqualFold(f.name, name) {
			continue
		}
		if ok {
			value += separator + f.value
		} else {
			value, ok = f.value, true
		}
	}
	return value, ok
}

// headEnd returns how many bytes of buf are a head, 0 if it is not whole yet.
func headEnd(buf []byte) int {
	if i := bytes.Index(buf, []byte("\r\n\r\n")); i >= 0 {
		return i + 4
	}
	return 0
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

func isFieldValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

func parseLength(s string) (n int64, ok bool) {
	if s == "" || len(s) > 18 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// isStatus reports whether s is a status that a proxy can pass on. 101 is not:
// nobody has asked for another protocol.
func isStatus(s string) bool {
	return len(s) == 3 && '1' <= s[0] && s[0] <= '5' && strings.Trim(s, "0123456789") == "" && s != "101"
}

// appendTokens appends the items of a list.
func appendTokens(dst []string, list string) []string {
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.Trim(item, " \t"); item != "" {
			dst = append(dst, item)
		}
	}
	return dst
}
