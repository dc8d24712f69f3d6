package kong

// Settings: what the annotations of an Ingress say.

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/internal/hostname"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/internal/pcre"
)

// settings are those of one Ingress.
type settings struct {
	annotations  map[string]string
	guarded      bool
	stripPath    string // "true", "false" or ""
	preserveHost string // likewise
	regexPrefix  string
	priority     int
	aliases      []string
	aliased      bool // there are to be aliases, whether they can be or not
	when         route.Conditions
	upgrade      int    // the status with which http is sent to https; 0: it is served
	upgradeKey   string // the annotation that says so
	rewrite      *template
	lost         bool // what rewrite says is no template
	grpc         bool // protocols are of gRPC alone, whose paths stay
}

const (
	defaultRegexPrefix = "/~"
	defaultUpgrade     = 426
	keyForceHTTPS      = "ingress.kubernetes.io/force-ssl-redirect"
	forcedUpgrade      = 302 // of keyForceHTTPS
)

// read reads the annotations of in. ok is false if its paths must not be served.
func (t *translation) read(in *ingress.Ingress) (s *settings, ok bool) {
	s = &settings{annotations: in.Annotations, regexPrefix: defaultRegexPrefix}
	if _, forced := in.Annotations[keyForceHTTPS]; !forced && !ingress.HasAnnotation(in, prefix) {
		return s, true
	}
	s.guarded = t.survey(in.Annotations)
	s.stripPath = t.boolean(in.Annotations, "strip-path")
	s.preserveHost = t.boolean(in.Annotations, "preserve-host")
	if value := s.annotations[prefix+"regex-prefix"]; value != "" {
		s.regexPrefix = value
	}
	if value, found := t.value(s, "regex-priority"); found {
		n, err := strconv.Atoi(value)
		if err != nil {
			t.report(ingress.Warning, CodeValue, "regex-priority", 0, "%.64q is no whole number, or too great a one: it is 0", value)
			n = 0
		}
		s.priority = n
	}
	if value, found := t.value(s, "path-handling"); found && value != "v0" {
		t.report(ingress.Warning, CodePathHandling, "path-handling", 0, "%.64q: paths are joined as v0 does", value)
	}
	t.readHosts(s)
	ok = t.readConditions(s)
	t.readProtocols(s)
	t.readRewrite(s)
	if s.grpc {
		if s.stripPath == "true" {
			t.report(ingress.Warning, CodeOverridden, "strip-path", 0, "%sprotocols are of gRPC, whose paths are not stripped: leave out one of them", prefix)
		}
		s.stripPath = "false"
	}
	return s, ok
}

// value returns an annotation that is there and not handled by the caller.
func (t *translation) value(s *settings, name string) (string, bool) {
	value, ok := s.annotations[prefix+name]
	return value, ok && !t.handled[name]
}

// boolean returns "true", "false" or, for anything else, "".
func (t *translation) boolean(annotations map[string]string, name string) string {
	switch value, ok := annotations[prefix+name]; {
	case !ok || t.handled[name]:
	case strings.EqualFold(value, "true"):
		return "true"
	case strings.EqualFold(value, "false"):
		return "false"
	default:
		t.report(ingress.Warning, CodeValue, name, 0, "%.64q means nothing: write true or false", value)
	}
	return ""
}

// items returns the parts of a list that are not empty, with their offsets.
func items(value, separator string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		at := 0
		for part := range strings.SplitSeq(value, separator) {
			item := strings.TrimSpace(part)
			offset := at + len(part) - len(strings.TrimLeft(part, " \t\r\n"))
			if item != "" && !yield(offset, item) {
				return
			}
			at += len(part) + len(separator)
		}
	}
}

func (t *translation) readHosts(s *settings) {
	value, found := t.value(s, "host-aliases")
	if !found {
		return
	}
	n := 0
	for offset, host := range items(value, ",") {
		s.aliased = true
		if n++; n > maxItems {
			t.report(ingress.Error, CodeValue, "host-aliases", offset, "at most %d hosts can be: those from here on are not served", maxItems)
			break
		}
		name, wild := strings.CutPrefix(host, "*.")
		parsed, err := hostname.ParseName(name)
		if err != nil {
			t.report(ingress.Error, CodeValue, "host-aliases", offset, "%.64q: %v: it is not served", host, err)
			continue
		}
		if wild {
			parsed = "*." + parsed
		}
		if !slices.Contains(s.aliases, parsed) {
			s.aliases = append(s.aliases, parsed)
		}
	}
}

// maxItems bounds lists that every path of an Ingress has: of hosts and of
// conditions.
const maxItems = 32

// readConditions reads methods and headers. ok is false if a condition cannot be
// had.
func (t *translation) readConditions(s *settings) (ok bool) {
	ok = true
	if value, found := t.value(s, "methods"); found {
		for offset, method := range items(value, ",") {
			if len(s.when.Methods) == maxItems {
				t.report(ingress.Warning, CodeValue, "methods", offset, "at most %d methods can be: those from here on are not served", maxItems)
				break
			}
			if strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "" {
				t.report(ingress.Warning, CodeValue, "methods", offset, "%.64q is no method", method)
				continue
			}
			s.when.Methods = append(s.when.Methods, strings.ToUpper(method))
		}
		switch {
		case len(s.when.Methods) > 0:
		case strings.TrimSpace(value) == "":
			t.report(ingress.Warning, CodeValue, "methods", 0, "it is empty, so every method is served: leave it out")
		default:
			t.report(ingress.Error, CodeCondition, "methods", 0, "%.64q has no method: the paths are left out; write one such as GET", value)
			ok = false
		}
	}
	if value, found := t.value(s, "snis"); found && strings.Trim(value, ", ") != "" {
		t.report(ingress.Error, CodeCondition, "snis", 0, "the name of the TLS handshake is no condition here: the paths are left out; write hosts")
		ok = false
	}
	return t.readHeaders(s) && ok
}

// readHeaders reads the annotations that each are about one header field. ok is
// false if one of them cannot be had.
func (t *translation) readHeaders(s *settings) (ok bool) {
	ok = true
	separator := s.annotations[prefix+"headers-separator"]
	if separator == "" {
		separator = ","
	}
	var keys []string
	for key := range s.annotations {
		if name, found := strings.CutPrefix(key, prefix); found && strings.HasPrefix(name, headerName) && !t.handled[name] {
			keys = append(keys, name)
		}
	}
	slices.Sort(keys)
	if len(keys) > maxItems {
		t.report(ingress.Error, CodeCondition, keys[maxItems], 0, "at most %d header fields can be compared: the paths are left out", maxItems)
		return false
	}
	for _, name := range keys {
		c := route.Condition{Name: name[len(headerName):]}
		var values []string
		var offsets []int
		for offset, item := range items(s.annotations[prefix+name], separator) {
			values, offsets = append(values, item), append(offsets, offset)
		}
		detail, offset, bad := t.headerTest(&c, values, offsets)
		if strings.EqualFold(c.Name, "Host") { // which Kong refuses
			detail, offset, bad = "the host is no header field: write host-aliases, or the host of a rule", 0, true
		}
		if bad {
			t.report(ingress.Error, CodeCondition, name, offset, "%s: the paths are left out", detail)
			ok = false
			continue
		}
		s.when.Headers = append(s.when.Headers, c)
	}
	return ok
}

// headerTest makes the test of one header field: one of some values, of which one
// behind "~*" is an expression without letter case. In Compat none has letter
// case.
func (t *translation) headerTest(c *route.Condition, values []string, offsets []int) (detail string, offset int, bad bool) {
	if len(values) == 0 {
		return "there is no value: write one or more", 0, true
	}
	if len(values) == 1 && !t.compat && !strings.HasPrefix(values[0], "~*") {
		c.Value = values[0]
		return "", 0, false
	}
	for i, v := range values {
		expression, ok := strings.CutPrefix(v, "~*")
		if !ok {
			values[i] = regexp.QuoteMeta(v)
			continue
		}
		if detail, offset, bad = pcre.Fault(expression); bad {
			return detail, offsets[i] + len("~*") + offset, true
		}
		if len(values) > 1 && strings.Count(expression, "{") != strings.Count(expression, "}") {
			t.report(ingress.Warning, CodeValue, headerName+c.Name, offsets[i], "the separator cuts the expression %.64q: write a headers-separator that it does not have", v)
		}
		values[i] = "(?i:.*(?:" + expression + ").*)"
	}
	c.Test, c.Value = route.Matches, strings.Join(values, "|")
	if t.compat {
		c.Value = "(?i)" + c.Value
	}
	return "", 0, false
}

// readProtocols reads protocols, https-redirect-status-code and keyForceHTTPS: of
// paths that are for https alone, http is sent there.
func (t *translation) readProtocols(s *settings) {
	code := defaultUpgrade
	force, found := s.annotations[keyForceHTTPS]
	switch {
	case force == "true":
		code = forcedUpgrade
	case found && force != "false":
		t.reportKey(ingress.Warning, CodeValue, keyForceHTTPS, 0, "%.64q means nothing: write true or false", force)
	}
	value, asked := t.value(s, "https-redirect-status-code")
	if asked {
		switch value {
		case "301", "302", "307", "308", "426":
			code, _ = strconv.Atoi(value)
		default:
			t.report(ingress.Warning, CodeValue, "https-redirect-status-code", 0, "%.64q is none of 301, 302, 307, 308 and 426, the default", value)
		}
	}
	value, _ = t.value(s, "protocols")
	plain, secure, web := false, false, false
	for offset, protocol := range items(value, ",") {
		switch protocol {
		case "http", "ws":
			plain, web = true, true
		case "https", "wss":
			secure, web = true, true
		case "grpc":
			plain, s.grpc = true, true
		case "grpcs":
			secure, s.grpc = true, true
		default:
			t.report(ingress.Warning, CodeValue, "protocols", offset, "%.64q is no protocol of HTTP: write http, https, grpc or grpcs", protocol)
		}
	}
	s.grpc = s.grpc && !web
	s.upgradeKey = prefix + "protocols"
	switch {
	case force == "true" && plain:
		t.reportKey(ingress.Warning, CodeOverridden, keyForceHTTPS, 0, "%sprotocols has http, so it is served: leave out one of them", prefix)
	case force == "true" && !secure:
		secure, s.upgradeKey = true, keyForceHTTPS
	}
	switch {
	case secure && !plain:
		s.upgrade = code
	case plain && !secure:
		s.when.Scheme = "http"
	}
	if asked && s.upgrade == 0 && !t.handled["protocols"] {
		t.report(ingress.Warning, CodeOverridden, "https-redirect-status-code", 0, "it does nothing, because http is not sent to https: write https alone as protocols")
	}
}
