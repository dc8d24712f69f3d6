package bfe

// The actions of a rule in the data, read.

import (
	"strings"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
)

// maxActions is how many actions a rule may have.
const maxActions = 64

// A call is an action of the data with its parameters converted.
type call struct {
	*command
	args []string
	at   int // offset of the action
}

// calls reads the actions of a rule.
func (r *reader) calls(list *node) ([]call, bool) {
	if len(list.elems) > maxActions {
		r.fail(CodeAction, list.elems[maxActions].at, "more than %d actions: remove some; the rule is left out", maxActions)
		return nil, false
	}
	var out []call
	good := true
	for i := range list.elems {
		c, does, ok := r.call(&list.elems[i])
		good = good && ok
		if ok && does {
			out = append(out, c)
		}
	}
	return out, good
}

// call reads an action. does is false for one that does nothing in BFE.
func (r *reader) call(n *node) (c call, does, ok bool) {
	m, good := r.members(n, "Cmd", "Params")
	if n.kind != '{' || !r.is(m[0], `"`, n, "Cmd", `a command, such as "PATH_SET"`) || !good {
		return c, false, false
	}
	c = call{commandNamed(m[0].text), nil, n.at}
	if c.command == nil {
		r.fail(CodeAction, m[0].at, "%s is no command of mod_rewrite: write one of %s", quote(m[0].text), commandNames())
		return c, false, false
	}
	var params []node
	if m[1] != nil && m[1].kind != 'n' {
		if !r.is(m[1], "[", n, "Params", "a list of strings") {
			return c, false, false
		}
		params = m[1].elems
	}
	if c.params != anyNumber && len(params) != c.params {
		at := n.at
		if m[1] != nil {
			at = m[1].at
		}
		r.fail(CodeParam, at, "%s has %d parameters: write %d", c.name, len(params), c.params)
		return c, false, false
	}
	for i := range params {
		p := &params[i]
		switch {
		case p.kind != '"':
			r.fail(CodeParam, p.at, "a parameter of %s is %s: write a string", c.name, p.is())
			return c, false, false
		case p.text == "":
			r.fail(CodeParam, p.at, "a parameter of %s is empty: write a value, or remove the action", c.name)
			return c, false, false
		}
		arg, fault := c.param.read(p.text)
		if fault != "" {
			r.fail(CodeParam, p.at, "%s: %s", c.name, fault)
			return c, false, false
		}
		c.args = append(c.args, arg)
	}
	does, ok = r.does(&c, params)
	return c, does, ok
}

// does reports whether BFE does anything of c, and whether what it does can be
// read. It warns of what BFE does otherwise than its parameters say.
func (r *reader) does(c *call, params []node) (does, ok bool) {
	switch c.op {
	case rewrite.OpAddPathPrefix:
		if text := params[0].text; !strings.HasSuffix(text, "/") {
			r.report(ingress.Warning, CodeAddGlues, params[0].offset(len(text)), "BFE puts no slash between %s and the path: it is read with one; write %s", quote(text), quote(text+"/"))
		}
	case rewrite.OpTrimPathPrefix:
		if c.args[0][0] != '/' {
			r.report(ingress.Warning, CodeParam, params[0].at, "no path begins with %s, so it trims nothing in BFE: write %s", quote(c.args[0]), quote("/"+c.args[0]))
			return false, true
		}
	case rewrite.OpAddQuery:
		return true, r.isName(c, &params[0])
	case rewrite.OpRenameQuery:
		if old := &params[0]; strings.ContainsAny(old.text, "%+=") {
			r.report(ingress.Warning, CodeParam, old.at, "BFE looks for %s as the decoded name and as it is sent, so it never renames it: it is read as the name %s; remove the action, or write a name without escapes",
				quote(old.text), quote(c.args[0]))
		}
		return true, r.isName(c, &params[1])
	case rewrite.OpDeleteQuery:
		return len(c.args) > 0, true
	}
	return true, true
}

// isName reports whether what BFE puts into the query as the name of a pair
// stays one.
func (r *reader) isName(c *call, param *node) bool {
	i := strings.IndexByte(param.text, '=')
	if i >= 0 {
		r.fail(CodeParam, param.offset(i), `%s: the "=" in %s ends the name of the pair: write it as %%3D`, c.name, quote(param.text))
	}
	return i < 0
}

func commandNames() string {
	names := make([]string, len(commands))
	for i := range commands {
		names[i] = commands[i].name
	}
	return strings.Join(names, ", ")
}
