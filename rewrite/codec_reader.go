package rewrite

// Reading JSON so that every fault has the byte that it is at.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A jsonError is a fault of JSON.
type jsonError struct {
	at  int64 // byte
	err error // what is wrong and what to write instead
}

func (e *jsonError) Error() string { return fmt.Sprintf("rewrite: at offset %d: %v", e.at, e.err) }
func (e *jsonError) Unwrap() error { return e.err }

// A jsonReader reads JSON token by token and knows where it is.
type jsonReader struct {
	dec  *json.Decoder
	data []byte
	at   int64 // where the last token begins
}

func newJSONReader(data []byte) (*jsonReader, error) {
	if i := badText(data); i >= 0 {
		return nil, &jsonError{int64(i), errors.New("not UTF-8, or half of a surrogate pair")}
	}
	// Reading it whole first finds the first byte that is wrong, which reading
	// token by token does not always do.
	var whole json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&whole); err != nil {
		at := int64(len(data))
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = syntax.Offset - 1
		} else {
			err = errors.New("unexpected end")
		}
		return nil, &jsonError{at, err}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &jsonReader{dec: dec, data: data}, nil
}

// badText returns the offset of the first byte that package json would
// silently replace, or -1.
func badText(data []byte) int {
	for i := 0; i < len(data); {
		if data[i] == '\\' && i+1 < len(data) {
			hi := escapedUnit(data[i:])
			switch {
			case 0xD800 <= hi && hi < 0xDC00:
				if lo := escapedUnit(data[i+6:]); lo < 0xDC00 || lo > 0xDFFF {
					return i
				}
				i += 12
			case 0xDC00 <= hi && hi <= 0xDFFF:
				return i
			default:
				i += 2
			}
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// escapedUnit returns the UTF-16 unit of the \uXXXX that b begins with, or -1.
func escapedUnit(b []byte) int {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

// finish returns err, or what is wrong with the end of data, with the offset.
func (d *jsonReader) finish(err error) error {
	if err == nil {
		if _, end := d.token(); end == io.EOF {
			return nil
		}
		err = errors.New("text behind the value")
	}
	return &jsonError{d.at, err}
}

// token returns the next token and notes where it begins.
func (d *jsonReader) token() (json.Token, error) {
	at := d.dec.InputOffset()
	for at < int64(len(d.data)) && strings.IndexByte(" \t\r\n:,", d.data[at]) >= 0 {
		at++
	}
	d.at = at
	return d.dec.Token()
}

// object reads an object; field reads the value of each key.
func (d *jsonReader) object(field func(key string) error) error {
	t, err := d.token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("write an object")
	}
	for d.dec.More() {
		t, err := d.token()
		if err != nil {
			return err
		}
		if err := field(t.(string)); err != nil {
			return err
		}
	}
	_, err = d.token()
	return err
}

// array reads an array; item gets each value as it stands, and where it begins.
func (d *jsonReader) array(item func(value []byte, at int)) error {
	t, err := d.token()
	if err != nil {
		return err
	}
	if t != json.Delim('[') {
		return errors.New("write an array")
	}
	for d.dec.More() {
		var value json.RawMessage
		if err := d.dec.Decode(&value); err != nil {
			return err
		}
		item(value, int(d.dec.InputOffset())-len(value))
	}
	_, err = d.token()
	return err
}

func (d *jsonReader) string() (string, error) {
	t, err := d.token()
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", errors.New("write a string")
	}
	return s, nil
}

func (d *jsonReader) number() (string, error) {
	t, err := d.token()
	if err != nil {
		return "", err
	}
	n, ok := t.(json.Number)
	if !ok {
		return "", errors.New("write a whole number, without quotes")
	}
	return n.String(), nil
}
