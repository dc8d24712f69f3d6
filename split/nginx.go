package split

// Weighted backends as split_clients blocks of nginx.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// An NginxRule is one rule of a route, for which a block may be written.
type NginxRule struct {
	Namespace, Route string
	Rule             int
	Backends         []Backend // their names are the names of upstreams
}

// Names is how variables are named.
type Names int8

const (
	// Injective names are legal and distinct for all namespaces, routes and
	// rules, whatever characters they have.
	Injective Names = iota
	// NKG names are those of nginx-kubernetes-gateway: namespace_route_ruleN
	// with - as _. Two rules that get the same, and a name that is no variable
	// to nginx, are errors.
	NKG
)

// Rows is how the rows of a block are written.
type Rows int8

const (
	// Star makes the last row "*", with its share in a comment, so that every
	// key has a row in nginx before 1.31.2 too.
	Star Rows = iota
	// Percent writes every row as a number.
	Percent
)

// NginxOptions of [AppendNginx]. The zero value and nil are the defaults.
type NginxOptions struct {
	Names   Names
	Rows    Rows
	Invalid string // the target that answers 500; empty: invalid_backend_ref
	Key     string // what is hashed; empty: $request_id, another one each time
}

var (
	// ErrNginxName: a name that cannot stand in a configuration of nginx.
	ErrNginxName = errors.New("split: not a name for nginx")
	// ErrNginxCollision: two rules would set the same variable.
	ErrNginxCollision = errors.New("split: two rules with the same variable")
)

// AppendNginx appends a split_clients block for every rule with two or more
// backends, and returns what to proxy to for each rule: "$" and the name of the
// block's variable, or the name of the single backend, or the invalid target
// if there is no backend or the single one is invalid or of weight 0.
//
// Shares are [Percentages]. Rows of 0.00 %, which nginx refuses, are comments.
// An invalid backend has a row of its own, which leads to the invalid target; a
// block whose weights are all 0 is 100.00% of that.
//
// On an error, [*WeightError], [ErrNginxName] or [ErrNginxCollision], dst is
// returned as it was. Names of backends and options may have letters, digits
// and _ . : / @ - in them, and the key also $.
//
// Names of variables longer than 46 bytes need a variables_hash_bucket_size
// above its default of 64.
func AppendNginx(dst []byte, rules []NginxRule, opts *NginxOptions) (config []byte, targets []string, err error) {
	var o NginxOptions
	if opts != nil {
		o = *opts
	}
	if o.Invalid == "" {
		o.Invalid = "invalid_backend_ref"
	}
	if o.Key == "" {
		o.Key = "$request_id"
	}
	if o.Names != Injective && o.Names != NKG || o.Rows != Star && o.Rows != Percent {
		return dst, nil, fmt.Errorf("split: no such option for nginx: names %d, rows %d", o.Names, o.Rows)
	}
	if !word(o.Invalid, "") {
		return dst, nil, fmt.Errorf("%w: invalid target %q", ErrNginxName, o.Invalid)
	}
	if !word(o.Key, "$") || !variables(o.Key) {
		return dst, nil, fmt.Errorf("%w: key %q", ErrNginxName, o.Key)
	}
	out := dst
	targets = make([]string, len(rules))
	owner := make(map[string]int, len(rules))
	for i, r := range rules {
		if err := checkNginx(r.Backends); err != nil {
			return dst, nil, fmt.Errorf("rule %d: %w", i, err)
		}
		if len(r.Backends) < 2 {
			targets[i] = o.Invalid
			for _, b := range r.Backends {
				targets[i] = single(b, &o)
			}
			continue
		}
		name, err := r.variable(o.Names)
		if err != nil {
			return dst, nil, fmt.Errorf("rule %d: %w", i, err)
		}
		// nginx does not tell upper from lower case in variables.
		folded := strings.ToLower(name)
		if first, ok := owner[folded]; ok {
			return dst, nil, fmt.Errorf("%w: %d and %d, $%s", ErrNginxCollision, first, i, name)
		}
		owner[folded] = i
		targets[i] = "$" + name
		out = appendBlock(out, name, r.Backends, &o)
	}
	return out, targets, nil
}

func checkNginx(backends []Backend) error {
	for i, b := range backends {
		if b.Weight > MaxWeight {
			return &WeightError{i, b.Name, b.Weight}
		}
		if !b.Invalid && !word(b.Name, "") {
			return fmt.Errorf("%w: backend %d, %q", ErrNginxName, i, b.Name)
		}
	}
	return nil
}

// word tells whether s is a word to nginx that means itself.
func word(s, also string) bool {
	for _, c := range []byte(s) {
		if !alphanumeric(c) && !strings.ContainsRune("_.:/@-", rune(c)) && !strings.ContainsRune(also, rune(c)) {
			return false
		}
	}
	return s != ""
}

// variables tells whether every dollar sign of s begins the name of a variable.
func variables(s string) bool {
	for i := range len(s) {
		if s[i] == '$' && (i+1 == len(s) || !alphanumeric(s[i+1]) && s[i+1] != '_') {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// single returns where a backend's requests go if it is the only one.
func single(b Backend, o *NginxOptions) string {
	if b.Invalid || b.Weight == 0 {
		return o.Invalid
	}
	return b.Name
}

// variable returns the name of the rule's variable, without the dollar sign.
func (r *NginxRule) variable(names Names) (string, error) {
	if names == NKG {
		name := strings.ReplaceAll(r.Namespace+"_"+r.Route+"_rule"+strconv.Itoa(r.Rule), "-", "_")
		for _, c := range []byte(name) {
			if !alphanumeric(c) && c != '_' {
				return "", fmt.Errorf("%w: variable $%s", ErrNginxName, name)
			}
		}
		if '0' <= name[0] && name[0] <= '9' {
			return "", fmt.Errorf("%w: variable $%s begins as a capture of a regular expression", ErrNginxName, name)
		}
		return name, nil
	}
	name := appendEscaped([]byte("split_"), r.Namespace)
	name = appendEscaped(append(name, "_route_"...), r.Route)
	name = append(name, "_rule_"...)
	return string(appendEscaped(name, strconv.Itoa(r.Rule))), nil
}

// appendEscaped appends s so that it can be told from every other string and
// from _route_ and _rule_: lower-case letters and digits are themselves, a
// hyphen is two underscores, and any other byte an underscore and two
// hexadecimal digits, none of which is an r.
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			dst = append(dst, c)
		case c == '-':
			dst = append(dst, "__"...)
		default:
			dst = append(dst, '_', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

func appendBlock(dst []byte, name string, backends []Backend, o *NginxOptions) []byte {
	dst = append(dst, "split_clients "+o.Key+" $"+name+" {\n"...)
	weights := make([]uint32, len(backends))
	for i, b := range backends {
		weights[i] = b.Weight
	}
	shares := Percentages(weights)
	last := -1
	for i, share := range shares {
		if share > 0 {
			last = i
		}
	}
	if last < 0 {
		dst = append(dst, "    100.00% "+o.Invalid+";\n"...)
		return append(dst, "}\n"...)
	}
	for i, b := range backends {
		value := b.Name
		if b.Invalid {
			value = o.Invalid
		}
		percent := fmt.Sprintf("%d.%02d%%", shares[i]/100, shares[i]%100)
		switch {
		case shares[i] == 0:
			dst = append(dst, "    # "+percent+" "+value+";\n"...)
		case i == last && o.Rows == Star:
			dst = append(dst, "    * "+value+"; # "+percent+"\n"...)
		default:
			dst = append(dst, "    "+percent+" "+value+";\n"...)
		}
	}
	return append(dst, "}\n"...)
}
