package bfe

// The commands of mod_rewrite, and their parameters to and from those of
// package rewrite. BFE has paths decoded and queries as they are sent.

import (
	"strings"
	"unicode/utf8"

	"github.com/readdress/readdress/internal/escape"
	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/internal/query"
	"github.com/readdress/readdress/rewrite"
)

// A command is one of mod_rewrite.
type command struct {
	name   string
	op     rewrite.Op
	params int // that BFE's loader asks for; anyNumber: it takes any
	param  param
}

const anyNumber = -1

var commands = [...]command{
	{"HOST_SET", rewrite.OpSetHost, 1, param{writeHost, readAsIs}},
	{"HOST_SET_FROM_PATH_PREFIX", rewrite.OpHostFromPathPrefix, 0, param{}},
	{"PATH_SET", rewrite.OpSetPath, 1, param{writePath, readPath}},
	{"PATH_PREFIX_ADD", rewrite.OpAddPathPrefix, 1, param{writeAdd, readAdd}},
	{"PATH_PREFIX_TRIM", rewrite.OpTrimPathPrefix, 1, param{writeTrim, readPath}},
	{"QUERY_ADD", rewrite.OpAddQuery, 2, param{writeQuery, readQuery}},
	{"QUERY_RENAME", rewrite.OpRenameQuery, 2, param{writeQuery, readQuery}},
	{"QUERY_DEL", rewrite.OpDeleteQuery, anyNumber, param{asIs, asIs}},
	{"QUERY_DEL_ALL_EXCEPT", rewrite.OpKeepQuery, anyNumber, param{asIs, asIs}},
}

// A param converts one parameter, which is not empty. fault says why it does not
// come through.
type param struct {
	write func(arg string) (param, fault string)
	read  func(param string) (arg, fault string)
}

// writeHost writes a host as it will be sent: BFE sends what it is given.
func writeHost(host string) (string, string) {
	text, err := hostname.Parse(host)
	if err != nil {
		return "", err.Error()
	}
	return text, ""
}

func readAsIs(s string) (string, string) { return s, "" }

// writePath decodes a path that is sent. BFE escapes it again, as package net/url
// does: "!", "(" and some others too.
func writePath(path string) (string, string) {
	text := string(escape.AppendPath(nil, path))
	decoded := decodePath(text)
	if string(escape.AppendPath(nil, encodePath(decoded))) != text {
		return "", "BFE decodes " + quote(path) + " to " + quote(decoded) + ", in which an escape is lost: write a path without it"
	}
	return textOnly(path, decoded)
}

// writeTrim decodes a prefix that is compared.
func writeTrim(path string) (string, string) {
	path = canonical(path)
	decoded := decodePath(path)
	if canonical(encodePath(decoded)) != path {
		return "", "BFE decodes " + quote(path) + " to " + quote(decoded) + ", which is another path: write a path without this escape"
	}
	return textOnly(path, decoded)
}

// writeAdd is writePath with the slash that BFE does not put.
func writeAdd(prefix string) (string, string) {
	path := "/" + strings.Trim(prefix, "/")
	if path != "/" {
		path += "/"
	}
	return writePath(path)
}

// textOnly refuses what JSON cannot hold.
func textOnly(path, decoded string) (string, string) {
	if !utf8.ValidString(decoded) {
		return "", quote(path) + " is not UTF-8 once it is decoded, as BFE needs it"
	}
	return decoded, ""
}

func readPath(decoded string) (string, string) { return encodePath(decoded), "" }

// readAdd is readPath without the final slash, which AddPathPrefix puts, and
// with the leading one, which BFE puts.
func readAdd(decoded string) (string, string) {
	if strings.Contains(decoded, "//") {
		return "", quote(decoded) + " has an empty segment, which no prefix keeps here: write one slash"
	}
	if decoded[0] != '/' {
		decoded = "/" + decoded
	}
	if rest := strings.TrimSuffix(decoded, "/"); rest != "" {
		decoded = rest
	}
	return encodePath(decoded), ""
}

// decodePath decodes every escape.
func decodePath(path string) string {
	var b []byte
	for i := 0; i < len(path); i++ {
		c := path[i]
		if o, ok := escape.Octet(path, i); ok {
			c = o
			i += 2
		}
		b = append(b, c)
	}
	return string(b)
}

// encodePath makes URL text of a decoded path: what would not mean itself is
// escaped, and package rewrite escapes the rest.
func encodePath(path string) string {
	var b []byte
	for i := range len(path) {
		if c := path[i]; c == '%' || c == '?' || c == '#' || c < ' ' || c == 0x7F {
			b = escape.Append(b, c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

func writeQuery(text string) (string, string) {
	return string(escape.AppendQuery(nil, text)), ""
}

// readQuery decodes what BFE puts into the query as it is.
func readQuery(raw string) (string, string) {
	for i := range len(raw) {
		switch c := raw[i]; {
		case c == '&' || c == ';' || c == '#' || c <= ' ' || c == 0x7F:
			return "", quote(raw[i:i+1]) + " in " + quote(raw) + " would not stay in the pair: write it as %HH"
		case c == '%':
			if _, ok := escape.Octet(raw, i); !ok {
				return "", "a % without two hexadecimal digits in " + quote(raw) + ": write %25"
			}
		}
	}
	text := string(query.AppendDecoded(nil, raw))
	if !utf8.ValidString(text) {
		return "", quote(raw) + " is not UTF-8 once it is decoded"
	}
	return text, ""
}

// asIs lets through the name of a pair that BFE, which compares raw text, knows
// by the same spelling.
func asIs(name string) (string, string) {
	if raw := string(escape.AppendQuery(nil, name)); raw != name {
		return "", "BFE compares " + quote(name) + " with the query as it is sent, where such a name is spelt " + quote(raw) + " or otherwise: it cannot be named"
	}
	return name, ""
}

// odd returns the name of a pair if asIs does not let it through, else "".
func odd(name string) string {
	if _, fault := asIs(name); fault == "" {
		return ""
	}
	return name
}

// action makes an action of a command's arguments.
func (c *command) action(args []string) rewrite.Action {
	switch c.op {
	case rewrite.OpSetHost:
		return rewrite.SetHost(args[0])
	case rewrite.OpHostFromPathPrefix:
		return rewrite.HostFromPathPrefix()
	case rewrite.OpSetPath:
		return rewrite.SetPath(args[0])
	case rewrite.OpAddPathPrefix:
		return rewrite.AddPathPrefix(args[0])
	case rewrite.OpTrimPathPrefix:
		return rewrite.TrimPathPrefix(args[0])
	case rewrite.OpAddQuery:
		return rewrite.AddQuery(args[0], args[1])
	case rewrite.OpRenameQuery:
		return rewrite.RenameQuery(args[0], args[1])
	case rewrite.OpDeleteQuery:
		return rewrite.DeleteQuery(args...)
	}
	if len(args) == 0 {
		return rewrite.DropQuery()
	}
	return rewrite.KeepQuery(args...)
}

// commandNamed returns the command of a name in any letter case, or by the name
// with RAW_ that the commands on queries once had; nil if there is none.
func commandNamed(name string) *command {
	name = strings.ToUpper(name)
	if rest, ok := strings.CutPrefix(name, "RAW_QUERY_"); ok {
		name = "QUERY_" + rest
	}
	for i := range commands {
		if commands[i].name == name {
			return &commands[i]
		}
	}
	return nil
}

// commandOf returns the command for an op; nil if there is none.
func commandOf(op rewrite.Op) *command {
	for i := range commands {
		if commands[i].op == op {
			return &commands[i]
		}
	}
	return nil
}
