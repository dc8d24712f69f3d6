package nginx

// Snippet: the lines of nginx's own language that can be said.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// A snippet is what configuration-snippet or server-snippet says.
type snippet struct {
	name     string // of the annotation
	rules    []rewrite.Rule
	exact    []exactRedirect
	redirect *ingress.Redirect
	some     *regexp.Regexp // of the paths that redirect is for; nil: of all
	branch   *branch        // redirect as a route, where the location holds it; nil: none
	// onlyBranch says that redirect is nothing but its branch.
	onlyBranch bool
	always     bool // redirect answers every request that exact does not
	tests      bool // there is a rewrite, with captures of its own
	leaves     bool // a line sends some requests to another location
	moves      bool // some of its rules run before the route is chosen
	breaks     bool // a line ends what follows in the location for some
	refused    bool // a line cannot be said
	adds       bool // there is an add_header: those of the server are not inherited
	expanded   int  // bytes of header values with variables, which every path has for itself
	request    []ingress.HeaderOp
	response   []ingress.HeaderOp
}

// An exactRedirect is a redirect of one path.
type exactRedirect struct {
	path string
	to   *ingress.Redirect
}

// A snippetReader reads one snippet.
type snippetReader struct {
	*reader
	s     *snippet
	lines []rewriteLine // that are not redirects, in order
	at    int           // offset of the directive that is read
}

// maxDirectives is the most directives of a snippet, each of which is done for
// every path that it governs.
const maxDirectives = 100

// noRouting are directives about anything but routing: leaving them out changes
// nothing of what an entry says.
var noRouting = []string{
	"proxy_read_timeout", "proxy_send_timeout", "proxy_connect_timeout", "proxy_buffering", "proxy_buffers",
	"proxy_buffer_size", "proxy_busy_buffers_size", "proxy_request_buffering", "proxy_http_version",
	"client_body_timeout", "client_header_timeout", "client_body_buffer_size", "send_timeout", "keepalive_timeout",
	"gzip", "gzip_types", "gzip_min_length", "gzip_comp_level", "gzip_vary", "brotli", "brotli_types",
	"access_log", "error_log", "log_not_found", "tcp_nodelay", "tcp_nopush", "underscores_in_headers",
}

// snippet reads the snippet name; nil if there is none.
func (r *reader) snippet(name string) *snippet {
	if r.text(name) == "" {
		return nil
	}
	text := r.o.in.Annotations[prefix+name]
	sr := &snippetReader{reader: r, s: &snippet{name: name}}
	list, bad := directives(text)
	if len(list) > maxDirectives {
		sr.at = list[maxDirectives].offset
		sr.refuse(CodeSnippet, "a snippet can have %d directives", maxDirectives)
		return sr.s
	}
	for i := range list {
		sr.at = list[i].offset
		sr.directive(&list[i])
	}
	if bad >= 0 {
		sr.at = bad
		sr.refuse(CodeSnippet, "the snippet is malformed here")
	}
	sr.finish()
	return sr.s
}

// refuse reports a line that cannot be said. Whom it would have kept out is not
// known, so the paths answer 500.
func (sr *snippetReader) refuse(code ingress.Code, format string, args ...any) {
	sr.o.guarded, sr.s.refused = true, true
	sr.report(sr.o.in.Source(), ingress.Error, code, sr.s.name, sr.at, "%s: the paths of this Ingress answer 500", fmt.Sprintf(format, args...))
}

func (sr *snippetReader) warn(code ingress.Code, format string, args ...any) {
	sr.report(sr.o.in.Source(), ingress.Warning, code, sr.s.name, sr.at, format, args...)
}

func (sr *snippetReader) directive(d *directive) {
	if d.block {
		sr.refuse(CodeSnippet, "%s cannot be said: write a path, an annotation or a rule of the proxy", d)
		return
	}
	switch d.name {
	case "rewrite":
		sr.rewrite(d)
	case "return":
		sr.returns(d)
	case "more_set_headers":
		sr.moreSetHeaders(d)
	case "add_header":
		sr.addHeader(d)
	case "proxy_set_header":
		sr.proxySetHeader(d)
	default:
		if slices.Contains(noRouting, d.name) {
			sr.report(sr.o.in.Source(), ingress.Note, CodeIgnored, sr.s.name, d.offset, "%s says nothing about URLs", d.name)
			return
		}
		sr.refuse(CodeSnippet, "%s cannot be said: write an annotation or a rule of the proxy", d)
	}
}

func (sr *snippetReader) rewrite(d *directive) {
	if len(d.args) < 2 || len(d.args) > 3 {
		sr.refuse(CodeSnippet, "%s: rewrite has a regular expression, a replacement and perhaps a flag", d)
		return
	}
	flag := ""
	if len(d.args) == 3 {
		flag = d.args[2]
	}
	switch flag {
	case "", "last", "break", "redirect", "permanent":
	default:
		sr.refuse(CodeSnippet, "%.64q is no flag: write last, break, redirect or permanent", flag)
		return
	}
	tree, f := parseRegex(d.args[0])
	if f != nil {
		sr.refuse(CodeRegex, "%.128s: %s", d.args[0], f.text)
		return
	}
	to, fault := parseTarget(d.args[1])
	if fault != nil {
		sr.refuse(fault.code, "%.128s: %s", d.args[1], fault.text)
		return
	}
	sr.s.tests = true
	if n := tree.MaxCap(); to.most() > n {
		sr.warn(CodeNoGroup, "$%d is empty: %.64s has %s", to.most(), d.args[0], groups(n))
		to = to.without(n)
	}
	status := 0
	switch {
	case flag == "permanent":
		status = 301
	case flag == "redirect" || to.absolute:
		status = 302
	}
	switch {
	case sr.s.always:
		sr.warn(CodeRedirectWins, "%s is never reached: a redirect of all requests stands before it", d)
	case status != 0 && len(sr.lines) > 0:
		sr.refuse(CodeSnippetChain, "%s depends on what the lines before it have made of the path, and a redirect sees that of the client: write it first", d)
	case status != 0:
		sr.redirectLine(d, tree, to, status)
	case to.whole:
		sr.refuse(CodeVariable, "%s: the path of the request can only stand in a redirect", d)
	default:
		sr.lines = append(sr.lines, rewriteLine{regex: d.args[0], tree: tree, to: to, flag: flag, at: sr.at, hook: rewrite.AfterLocation})
	}
}

func (sr *snippetReader) returns(d *directive) {
	if len(d.args) == 0 || len(d.args) > 2 {
		sr.refuse(CodeSnippet, "%s: return has a status and a URL", d)
		return
	}
	status, err := strconv.Atoi(d.args[0])
	text := d.args[len(d.args)-1]
	switch {
	case err != nil && len(d.args) == 2:
		sr.refuse(CodeSnippet, "%.64q is no status", d.args[0])
		return
	case err != nil && !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "$scheme"):
		sr.refuse(CodeSnippet, "%s: there is no status, without which there must be a URL", d)
		return
	case err != nil:
		status = 302
	case !slices.Contains([]int{301, 302, 303, 307, 308}, status):
		sr.refuse(CodeSnippet, "%s: only redirects can be said", d)
		return
	case len(d.args) == 1:
		sr.refuse(CodeSnippet, "%s: there is no URL", d)
		return
	}
	to, fault := parseTarget(text)
	switch {
	case fault != nil:
		sr.refuse(fault.code, "%.128s: %s", text, fault.text)
	case to.captures():
		sr.refuse(CodeVariable, "%s: there is no regular expression whose captures these are", d)
	case sr.s.always:
		sr.warn(CodeRedirectWins, "%s is never reached: a redirect of all requests stands before it", d)
	case len(sr.lines) > 0:
		sr.refuse(CodeSnippetChain, "%s answers what the lines before it have not ended, and a redirect sees the request before them: write it first", d)
	case sr.s.redirect != nil:
		sr.refuse(CodeSnippet, "%s behind a redirect of some requests cannot be said: an entry has one redirect", d)
	default:
		sr.s.redirect, sr.s.always = to.redirect(status, "", false, sr.s.name), true
		sr.compile(d, sr.s.redirect)
	}
}

// finish makes rules of the rewrites. Those up to the last after which nginx
// looks for a location again run before the route is chosen, and so do all of a
// server. Without a flag nginx does so too, unless a line behind it, such as that
// of rewrite-target, matches and is a break.
func (sr *snippetReader) finish() {
	server := sr.s.name == "server-snippet"
	before, stays := 0, sr.o.target != ""
	for i := len(sr.lines) - 1; i >= 0 && before == 0; i-- {
		flag := sr.lines[i].flag
		if flag == "last" || flag == "" && !stays || server {
			before = i + 1
		}
		stays = stays || flag == "break"
	}
	told := make(map[int]bool)
	ended := func(line *rewriteLine) {
		if !told[line.at] {
			told[line.at], sr.at = true, line.at
			sr.warn(CodeSnippetChain, "rewrite %.64s ends the lines behind it, if it matches; here they see its result: write lines that exclude each other", line.regex)
		}
	}
	for i := range sr.lines {
		line := &sr.lines[i]
		line.ends = line.flag == "break" || line.flag == "last" && server
		sr.s.leaves = sr.s.leaves || line.flag == "last" && !server
		sr.s.breaks = sr.s.breaks || line.flag == "break" && !server
		if i >= before {
			continue
		}
		if line.hook, sr.s.moves = rewrite.BeforeLocation, true; line.flag == "break" && !server {
			ended(line) // of another location, perhaps, than nginx has then
		}
	}
	for _, line := range order(sr.lines, ended) {
		action := rewrite.RewritePath(line.regex, line.to.template(line.to.dropArgs))
		made := rules([]rewrite.Action{action}, line.hook, sr.s.name)
		if _, err := rewrite.Compile(made, sr.options()); err != nil {
			sr.at = line.at
			sr.refuse(CodeSnippet, "rewrite %.64s: %v", line.regex, err)
			return
		}
		sr.s.rules = append(sr.s.rules, made...)
	}
}
