package main

// The connections: a request comes in, goes out, and its response comes back.

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/readdress/readdress/rewrite"
)

const (
	idle  = time.Minute           // how long a client may take for the next head
	pause = 50 * time.Millisecond // before accepting again, when that has failed
)

type proxy struct {
	routes *routes
	dial   func(network, address string) (net.Conn, error)
}

func (p *proxy) serve(l net.Listener) error {
	for {
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil: // such as too many open files, which clients can bring about
			time.Sleep(pause)
			continue
		}
		go p.connection(conn)
	}
}

// connection serves requests until one says that it is the last.
func (p *proxy) connection(client net.Conn) {
	defer client.Close()
	var (
		in      = bufio.NewReaderSize(client, maxHead)
		request head
		scratch rewrite.Scratch
		out     []byte
	)
	for again := true; again; {
		client.SetReadDeadline(time.Now().Add(idle))
		buf, err := readHead(in)
		if err != nil {
			if in.Buffered() > 0 { // half a request: who says nothing gets no answer
				client.Write(decision{status: 400}.appendAnswer(nil))
			}
			return
		}
		client.SetReadDeadline(time.Time{})
		scratch.Reuse() // the last request is done
		d := decision{status: 400}
		if err := request.parse(string(buf), true); err == nil {
			d = decide(p.routes, &request, &scratch)
		}
		if d.status != 0 {
			client.Write(d.appendAnswer(out[:0]))
			return
		}
		upstream, err := p.dial("tcp", d.upstream)
		if err != nil {
			client.Write(decision{status: 502}.appendAnswer(out[:0]))
			return
		}
		out = appendRequest(out[:0], &request, &d.url)
		in.Discard(len(buf))
		again = exchange(client, in, upstream, &request, out)
		upstream.Close()
	}
}

// exchange sends a request and returns its response. It reports whether the
// client's connection can serve another.
func exchange(client net.Conn, in *bufio.Reader, upstream net.Conn, request *head, out []byte) (again bool) {
	sent := make(chan error, 1)
	go func() {
		_, err := upstream.Write(out)
		if err == nil {
			err = copyBody(upstream, in, request, false)
		}
		if half, ok := upstream.(interface{ CloseWrite() error }); ok && err != nil {
			half.CloseWrite() // or the upstream would wait for the rest of the body
		}
		sent <- err
	}()
	back := bufio.NewReaderSize(upstream, maxHead)
	again, err := respond(client, back, request)
	if err != nil {
		// The client has had nothing yet, or cannot be told any more.
		if errors.Is(err, errNoResponse) {
			client.Write(decision{status: 502}.appendAnswer(nil))
		}
		again = false
	}
	if !again {
		client.SetReadDeadline(time.Now()) // a body that nobody waits for
		upstream.Close()
	}
	return <-sent == nil && again && !request.close
}

var errNoResponse = errors.New("the upstream sent no response")

// respond copies responses to the client until one is final.
func respond(client net.Conn, back *bufio.Reader, request *head) (again bool, err error) {
	for {
		var response head
		buf, err := readHead(back)
		if err != nil || response.parse(string(buf), false) != nil {
			return false, errNoResponse
		}
		status := response.line[1]
		interim := status[0] == '1'
		bodyless := interim || status == "204" || status == "304" || request.line[0] == "HEAD"
		untilEOF := !bodyless && !response.chunked && response.length < 0
		out := appendResponse(nil, &response, untilEOF || !interim && request.close)
		back.Discard(len(buf))
		if _, err := client.Write(out); err != nil {
			return false, err
		}
		if interim {
			continue
		}
		if bodyless {
			return true, nil
		}
		return !untilEOF, copyBody(client, back, &response, untilEOF)
	}
}

// readHead returns the next head without taking it out of r, so that it stays
// where it is.
func readHead(r *bufio.Reader) ([]byte, error) {
	for n := 1; ; {
		buf, err := r.Peek(max(n, r.Buffered()))
		if end := headEnd(buf); end > 0 {
			return buf[:end], nil
		}
		if err != nil {
			if len(buf) > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		n = len(buf) + 1
	}
}

// appendRequest appends the head that goes to the upstream.
func appendRequest(dst []byte, h *head, u *rewrite.URL) []byte {
	dst = append(append(dst, h.line[0]...), ' ')
	dst = u.AppendTarget(dst)
	dst = append(dst, " HTTP/1.1\r\nHost: "...)
	dst = append(append(dst, u.Host...), "\r\n"...)
	return append(appendKept(dst, h), "Connection: close\r\n\r\n"...)
}

// appendResponse appends the head that goes to the client, and whether it is the
// last one.
func appendResponse(dst []byte, h *head, last bool) []byte {
	dst = append(append(dst, "HTTP/1.1 "...), h.line[1]...)
	dst = append(append(append(dst, ' '), h.line[2]...), "\r\n"...)
	dst = appendKept(dst, h)
	if last {
		dst = append(dst, "Connection: close\r\n"...)
	}
	return append(dst, "\r\n"...)
}

func appendKept(dst []byte, h *head) []byte {
	for _, f := range h.fields {
		if h.hopByHop(f.name) || strings.EqualFold(f.name, "Host") {
			continue
		}
		dst = append(append(dst, f.name...), ": "...)
		dst = append(append(dst, f.value...), "\r\n"...)
	}
	return dst
}

// copyBody copies the body of a message whose head is h, framed as it came.
func copyBody(dst io.Writer, src *bufio.Reader, h *head, untilEOF bool) error {
	switch {
	case h.chunked:
		return copyChunks(dst, src)
	case untilEOF:
		_, err := io.Copy(dst, src)
		return err
	case h.length > 0:
		_, err := io.CopyN(dst, src, h.length)
		return err
	}
	return nil
}

// copyChunks copies a chunked body (RFC 9112, 7.1).
func copyChunks(dst io.Writer, src *bufio.Reader) error {
	for {
		line, err := src.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, ok := parseChunk(line)
		if !ok {
			return errHead
		}
		if _, err := dst.Write(line); err != nil {
			return err
		}
		if size == 0 {
			return copyTrailers(dst, src)
		}
		if _, err := io.CopyN(dst, src, size); err != nil {
			return err
		}
		end, err := src.ReadSlice('\n')
		if err != nil {
			return err
		}
		if string(end) != "\r\n" {
			return errHead
		}
		if _, err := dst.Write(end); err != nil {
			return err
		}
	}
}

// copyTrailers ends a chunked body. The trailers themselves are left out, which
// every recipient must be able to do without (RFC 9110, 6.5.1).
func copyTrailers(dst io.Writer, src *bufio.Reader) error {
	for n := 0; n < maxHead; {
		line, err := src.ReadSlice('\n')
		if err != nil {
			return err
		}
		if string(line) == "\r\n" {
			_, err := dst.Write(line)
			return err
		}
		n += len(line)
	}
	return errHead
}

// parseChunk reads the size of a chunk. Extensions are refused: nobody needs
// them, and proxies disagree on where they end.
func parseChunk(line []byte) (size int64, ok bool) {
	digits, ok := strings.CutSuffix(string(line), "\r\n")
	if !ok || digits == "" || len(digits) > 15 {
		return 0, false
	}
	for _, c := range []byte(digits) {
		switch {
		case '0' <= c && c <= '9':
			size = size<<4 | int64(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			size = size<<4 | int64(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return size, true
}
