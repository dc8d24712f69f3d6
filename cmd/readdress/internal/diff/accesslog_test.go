package diff

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAccessLog(t *testing.T) {
	const head = `192.0.2.1 - - [01/Mar/2026:10:00:00 +0000] `
	for _, c := range []struct{ line, want string }{
		{head + `"GET /a?b=c HTTP/1.1" 200 12`, "GET /a?b=c"},
		{head + `"POST /a HTTP/2.0" 200 12 "https://ref.example/" "agent"`, "POST /a"},
		{head + `"GET http://shop.example/a HTTP/1.1" 200 12`, "GET http://shop.example/a"},
		{head + `"GET /a b HTTP/1.1" 400 0`, "GET /a b"},
		{head + `"GET /\"q\" HTTP/1.1" 200 1`, `GET /"q"`},
		{head + `"GET /\\ HTTP/1.1" 200 1`, `GET /\`},
		{head + `"GET /\xC3\xA9 HTTP/1.1" 200 1`, "GET /é"},
		{`2001:db8::1 - a "b" [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.0" 200 1`, "GET /"},
		{head + `"-" 400 0`, ""},
		{head + `"\x16\x03\x01" 400 0`, ""},
		{head + `"GET /a" 200 1`, ""},
		{head + `"OPTIONS * HTTP/1.1" 200 1`, ""},
		{head + `"CONNECT shop.example:443 HTTP/1.1" 400 1`, ""},
		{head + `"GET / HTTP/1.1`, ""},
		{head + `"GET /\xZZ HTTP/1.1" 200 1`, ""},
		{"", ""},
		{"nonsense", ""},
	} {
		l := NewLogReader(strings.NewReader(c.line + "\n"))
		method, target, err := l.Next()
		got := strings.TrimSpace(method + " " + target)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s\n got %q, %v\nwant %q", c.line, got, err, c.want)
		}
		if c.want == "" && (!errors.Is(err, io.EOF) || l.Skipped != 1 || l.Lines != 1) {
			t.Errorf("%s: %v, %d of %d lines skipped", c.line, err, l.Skipped, l.Lines)
		}
	}
}

// TestAccessLogLongLine wants a line that no server writes to be skipped and the
// next to be read.
func TestAccessLogLongLine(t *testing.T) {
	text := `- - - [x] "GET /` + strings.Repeat("a", 1<<20) + ` HTTP/1.1" 200 1` + "\n" + `- - - [x] "GET /b HTTP/1.1" 200 1`
	l := NewLogReader(strings.NewReader(text))
	if _, target, err := l.Next(); target != "/b" || err != nil {
		t.Errorf("the target is %.20q, %v", target, err)
	}
	if l.Skipped != 1 || l.Lines != 2 || l.Bytes != int64(len(text)) {
		t.Errorf("%d of %d lines skipped, %d of %d bytes", l.Skipped, l.Lines, l.Bytes, len(text))
	}
}
