package diff

// Access logs: the requests in the common and the combined format of Apache and
// nginx.

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
)

// A LogReader reads requests from an access log, one line at a time.
type LogReader struct {
	in      *bufio.Reader
	Lines   int
	Skipped int   // lines without a request that can be understood
	Bytes   int64 // that were read
}

// NewLogReader returns a LogReader of r.
func NewLogReader(r io.Reader) *LogReader { return &LogReader{in: bufio.NewReaderSize(r, 64<<10)} }

// Next returns the method and the target of the next request. The error is
// io.EOF at the end.
func (l *LogReader) Next() (method, target string, err error) {
	for {
		line, err := l.in.ReadSlice('\n')
		l.Bytes += int64(len(line))
		long := false
		for errors.Is(err, bufio.ErrBufferFull) { // no server takes so long a target
			long = true
			line, err = l.in.ReadSlice('\n')
			l.Bytes += int64(len(line))
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			return "", "", err
		}
		l.Lines++
		if method, target, ok := parseLine(line); ok && !long {
			return method, target, nil
		}
		l.Skipped++
	}
}

// parseLine finds the request in
//
//	address ident user [time] "METHOD target HTTP/1.1" status bytes …
func parseLine(line []byte) (method, target string, ok bool) {
	_, rest, ok := strings.Cut(string(line), `] "`)
	if !ok {
		return "", "", false
	}
	request, ok := unquote(rest)
	if !ok {
		return "", "", false
	}
	method, rest, ok = strings.Cut(request, " ")
	i := strings.LastIndexByte(rest, ' ')
	if !ok || i < 0 || !strings.HasPrefix(rest[i+1:], "HTTP/") || method == "" {
		return "", "", false
	}
	target = rest[:i]
	if !strings.HasPrefix(target, "/") && !engine.HasScheme(target) {
		return "", "", false
	}
	return method, target, true
}

// unquote reads up to the closing quote, with the escapes that servers write:
// \" and \\, and \xHH for a byte.
func unquote(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return b.String(), true
		case c == '\\' && i+3 < len(s) && s[i+1] == 'x':
			n, err := strconv.ParseUint(s[i+2:i+4], 16, 8)
			if err != nil {
				return "", false
			}
			b.WriteByte(byte(n))
			i += 3
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
