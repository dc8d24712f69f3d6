package engine

// Requests: a URL as it was typed, and what a client sends with it.

import (
	"bufio"
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"github.com/readdress/readdress/rewrite"
)

// A Request is what a client sends.
type Request struct {
	Method       string // "": GET
	URL          string // as typed; without a scheme it is http
	Headers      []Header
	ListenerPort int    // 0: not known
	Key          string // by which a backend is picked; "": none is
}

// A Header is a header field.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ParseHeader reads "Name: value".
func ParseHeader(s string) (Header, error) {
	name, value, ok := strings.Cut(s, ":")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return Header{}, fmt.Errorf("%q is no header: write 'Name: value'", s)
	}
	h := Header{name, strings.TrimSpace(value)}
	return h, h.Check()
}

// Check reports what HTTP does not allow.
func (h *Header) Check() error {
	switch {
	case !httpguts.ValidHeaderFieldName(h.Name):
		return fmt.Errorf("%.64q is no name of a header: write letters, digits and hyphens", h.Name)
	case !httpguts.ValidHeaderFieldValue(h.Value):
		return fmt.Errorf("the value of %s has a control character: remove it", h.Name)
	}
	return nil
}

// Check reports what is wrong with a request beside its URL.
func (r *Request) Check() error {
	if !httpguts.ValidHeaderFieldName(r.method()) { // both are tokens
		return fmt.Errorf("method %.64q: write one such as GET", r.Method)
	}
	if r.ListenerPort < 0 || r.ListenerPort > 65535 {
		return fmt.Errorf("listen port %d: write one from 1 to 65535, or 0 if it is not known", r.ListenerPort)
	}
	for i := range r.Headers {
		if err := r.Headers[i].Check(); err != nil {
			return err
		}
		if strings.EqualFold(r.Headers[i].Name, "Host") {
			return fmt.Errorf("the header Host is part of the URL: write http://%.256s/", r.Headers[i].Value)
		}
	}
	return nil
}

// CheckHost reports whether requests can be for a host.
func CheckHost(host string) error {
	u, err := rewrite.Parse("http://" + host + "/")
	if err == nil && u.Host == host && u.Path == "/" {
		err = (*rewrite.Input)(nil).Clean(&u, nil)
	}
	if err != nil || u.Host != host || u.Path != "/" {
		return fmt.Errorf("%q is no host: write a name, or name:port", host)
	}
	return nil
}

// HasScheme reports whether a URL begins with a scheme and "://".
func HasScheme(url string) bool {
	before, _, ok := strings.Cut(url, "://")
	return ok && !strings.ContainsAny(before, "/?#")
}

// Absolute returns a URL with a scheme: http if it has none.
func Absolute(url string) string {
	if HasScheme(url) {
		return url
	}
	return "http://" + url
}

// Parse returns the URL without a change to its bytes.
func (r *Request) Parse() (rewrite.URL, error) {
	u, err := rewrite.Parse(Absolute(r.URL))
	if err != nil {
		return u, fmt.Errorf("%q is no URL that a proxy can be asked for: write [http[s]://]host/path", r.URL)
	}
	return u, nil
}

func (r *Request) method() string {
	if r.Method == "" {
		return http.MethodGet
	}
	return r.Method
}

// netHTTP returns why net/http would refuse a request for u before it reaches a
// handler, "" if it would not.
func (r *Request) netHTTP(u rewrite.URL) string {
	text := r.method() + " " + string(u.AppendTarget(nil)) + " HTTP/1.1\r\nHost: " + u.Host + "\r\n\r\n"
	if strings.Count(text, "\n") != 3 {
		return "a URL with a line break cannot be sent"
	}
	request, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		return err.Error()
	}
	if request.Host != u.Host {
		return fmt.Sprintf("the host would be %q", request.Host)
	}
	return ""
}

// hint returns what a client sends instead of a URL that Clean refuses, where
// people write such a URL and no client sends it; "" elsewhere.
func hint(u rewrite.URL) string {
	var why []string
	text := u.String()
	if before, _, ok := strings.Cut(text, "#"); ok {
		why, text = append(why, "keeps the fragment to itself"), before
	}
	host := u.Host[strings.LastIndexByte(u.Host, '@')+1:]
	if host != u.Host {
		why = append(why, "sends user and password in a header")
	}
	isASCII := func(r rune) bool { return r < utf8.RuneSelf }
	if strings.TrimFunc(host, isASCII) != "" {
		p, err := rewrite.Compile([]rewrite.Rule{{Action: rewrite.SetHost(host)}}, nil)
		if err != nil {
			return ""
		}
		ascii := rewrite.URL{Scheme: u.Scheme, Path: "/"}
		if _, err := p.Apply(rewrite.AfterLocation, &ascii, nil); err != nil {
			return ""
		}
		why, host = append(why, "sends the host in ASCII"), ascii.Host
	}
	if len(why) == 0 {
		return ""
	}
	return "a client " + strings.Join(why, ", ") + ": it asks for " + strings.Replace(text, u.Host, host, 1)
}

// A header answers what conditions ask: it is a route.Request.
type header struct {
	method string
	fields map[string][]string
}

func (r *Request) header() header {
	h := header{r.method(), make(map[string][]string, len(r.Headers))}
	for _, f := range r.Headers {
		name := textproto.CanonicalMIMEHeaderKey(f.Name)
		h.fields[name] = append(h.fields[name], f.Value)
	}
	return h
}

func (h header) Method() string { return h.method }

func (h header) Header(name string) (string, bool) {
	values := h.fields[name]
	separator := ", "
	if name == "Cookie" {
		separator = "; "
	}
	return strings.Join(values, separator), len(values) > 0
}

// Host returns the host that the request is for, "" if its URL is none.
func (r *Request) Host() string {
	u, _ := r.Parse()
	return u.Host
}
