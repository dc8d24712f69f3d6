package rewrite

// Action and Op: one change to a URL, as data.

import (
	"slices"
	"strconv"
)

// An Op is the kind of an Action. The zero Op is that of the zero Action.
type Op uint8

const (
	OpSetHost Op = 1 + iota
	OpSetHostname
	OpSetPort
	OpHostFromPathPrefix
	OpReplaceHostSuffix
	OpSetPath
	OpAddPathPrefix
	OpTrimPathPrefix
	OpStripPathSegments
	OpReplacePathPrefix
	OpTrimPathText
	OpReplacePathText
	OpRewritePath
	OpReplacePathRegex
	OpAddQuery
	OpSetQuery
	OpDeleteQuery
	OpRenameQuery
	OpKeepQuery
	OpDropQuery
	OpSetScheme
	numOps
)

// opInfo describes the ops: the constructor's name, the components that the op
// aims at, the names of its parameters, and whether it takes a list of the one
// parameter or a number.
var opInfo = [numOps]struct {
	name    string
	aims    Changes
	params  []string
	list    bool
	numeric bool
}{
	0:                    {name: "Action{}"},
	OpSetHost:            {name: "SetHost", aims: HostChanged, params: []string{"host"}},
	OpSetHostname:        {name: "SetHostname", aims: HostChanged, params: []string{"hostname"}},
	OpSetPort:            {name: "SetPort", aims: HostChanged, params: []string{"port"}},
	OpHostFromPathPrefix: {name: "HostFromPathPrefix", aims: HostChanged | PathChanged},
	OpReplaceHostSuffix:  {name: "ReplaceHostSuffix", aims: HostChanged, params: []string{"old", "new"}},
	OpSetPath:            {name: "SetPath", aims: PathChanged, params: []string{"path"}},
	OpAddPathPrefix:      {name: "AddPathPrefix", aims: PathChanged, params: []string{"prefix"}},
	OpTrimPathPrefix:     {name: "TrimPathPrefix", aims: PathChanged, params: []string{"prefix"}, list: true},
	OpStripPathSegments:  {name: "StripPathSegments", aims: PathChanged, params: []string{"n"}, numeric: true},
	OpReplacePathPrefix:  {name: "ReplacePathPrefix", aims: PathChanged, params: []string{"match", "with"}},
	OpTrimPathText:       {name: "TrimPathText", aims: PathChanged, params: []string{"prefix"}, list: true},
	OpReplacePathText:    {name: "ReplacePathText", aims: PathChanged, params: []string{"prefix", "with"}},
	OpRewritePath:        {name: "RewritePath", aims: PathChanged, params: []string{"regex", "template"}},
	OpReplacePathRegex:   {name: "ReplacePathRegex", aims: PathChanged, params: []string{"regex", "template"}},
	OpAddQuery:           {name: "AddQuery", aims: QueryChanged, params: []string{"name", "value"}},
	OpSetQuery:           {name: "SetQuery", aims: QueryChanged, params: []string{"name", "value"}},
	OpDeleteQuery:        {name: "DeleteQuery", aims: QueryChanged, params: []string{"name"}, list: true},
	OpRenameQuery:        {name: "RenameQuery", aims: QueryChanged, params: []string{"from", "to"}},
	OpKeepQuery:          {name: "KeepQuery", aims: QueryChanged, params: []string{"name"}, list: true},
	OpDropQuery:          {name: "DropQuery", aims: QueryChanged},
	OpSetScheme:          {name: "SetScheme", aims: SchemeChanged, params: []string{"scheme"}},
}

// String returns the name of the constructor, such as "TrimPathPrefix";
// "Action{}" for the zero Op, and Op(n) for an unknown one.
func (op Op) String() string {
	if op >= numOps {
		return "Op(" + strconv.Itoa(int(op)) + ")"
	}
	return opInfo[op].name
}

// param names the i-th argument for messages.
func (op Op) param(i int) string {
	info := &opInfo[op]
	if info.list {
		return info.params[0] + "[" + strconv.Itoa(i) + "]"
	}
	return info.params[i]
}

// An Action is one change to a URL: data, made by a constructor such as
// SetHost and judged by Compile, never by the constructor. The zero Action is
// no action and does not compile. Actions are immutable and safe for
// concurrent use; compare them with Equal.
type Action struct {
	op   Op
	args []string // never shared with a caller; a number is in decimal
}

// Op returns the kind of a; 0 for the zero Action.
func (a Action) Op() Op { return a.op }

// Args returns a copy of the arguments in constructor order, as they were
// given; StripPathSegments's number is in decimal. It is nil if there are none.
func (a Action) Args() []string { return slices.Clone(a.args) }

// Equal reports whether a and b have the same op and the same arguments.
func (a Action) Equal(b Action) bool {
	return a.op == b.op && slices.Equal(a.args, b.args)
}

// String returns the text form, such as TrimPathPrefix("/a", "/b"); "Action{}",
// which nothing reads back, for the zero Action.
func (a Action) String() string {
	if a.op == 0 {
		return opInfo[0].name
	}
	b := []byte(a.op.String() + "(")
	for i, arg := range a.args {
		if i > 0 {
			b = append(b, ", "...)
		}
		if opInfo[a.op].numeric {
			b = append(b, arg...)
		} else {
			b = strconv.AppendQuote(b, arg)
		}
	}
	return string(append(b, ')'))
}
