package annotation

// Parse: from annotations to a plan of rules.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// DefaultPrefix is what the keys begin with unless Options says otherwise.
const DefaultPrefix = "bfe.ingress.kubernetes.io/rewrite-url."

// Options tell Parse what is around the annotations. A nil *Options and the
// zero Options are the defaults.
type Options struct {
	// Prefix is what the keys of this grammar begin with. Other annotations
	// are not looked at. "": DefaultPrefix.
	Prefix string
	// TableOrder runs actions that nothing puts in order, and whose result
	// depends on it, in the order of the table of keys, with a warning. Without
	// it they are an error.
	TableOrder bool
	// Rewrite is what the rules will be compiled with. Parse checks them by it
	// and Plan.Compile uses it, so it must not change in between. nil: the
	// safe defaults.
	Rewrite *rewrite.Options
}

func (o *Options) prefix() string {
	if o == nil || o.Prefix == "" {
		return DefaultPrefix
	}
	return o.Prefix
}

func (o *Options) rewrite() *rewrite.Options {
	if o == nil {
		return nil
	}
	return o.Rewrite
}

// A Plan is what a map of annotations asks for. A nil *Plan and the zero Plan
// have no rules.
type Plan struct {
	// Rules are sorted by hook, in the order in which a request meets them,
	// then by order, key (as in the table of keys) and place in the value.
	// The Origin of a rule is where in which annotation its parameter begins.
	Rules []rewrite.Rule
	// Warnings are sorted as errors are. Only Options.TableOrder makes any.
	Warnings ErrorList

	opts *rewrite.Options
}

// Compile compiles the rules with the Options.Rewrite that Parse had. It
// cannot fail for a Plan as Parse made it; for others it fails as
// rewrite.Compile does.
func (p *Plan) Compile() (*rewrite.Program, error) {
	if p == nil {
		return rewrite.Compile(nil, nil)
	}
	return rewrite.Compile(p.Rules, p.opts)
}

// String returns a line for each rule: its hook, its order, its action and,
// where it is known, its origin. It is for people.
func (p *Plan) String() string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	for _, r := range p.Rules {
		fmt.Fprintf(&b, "%-14v %d %v", r.Hook, r.Order, r.Action)
		if r.Origin != (rewrite.Origin{}) {
			b.WriteString(" from ")
			writePlace(&b, r.Origin)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Sizes beyond which nothing is read. The sum is the limit of Kubernetes,
// counted as there: the keys and values of all annotations.
const (
	maxValue   = 64 << 10
	maxTotal   = 256 << 10
	maxActions = 64  // of one hook
	maxFaults  = 256 // in one ErrorList
)

// Parse reads the annotations under opts.Prefix. It keeps no reference to the
// map; Rules and errors share memory with its strings.
//
// The error is an ErrorList of every fault, up to 256, and the Plan is then
// nil. Without annotations of this grammar the Plan has no rules. If Parse
// succeeds, rewrite.Compile accepts the rules with opts.Rewrite. The time is
// linear in the size of the annotations, which is bounded; Parse may be called
// by any number of goroutines.
func Parse(annotations map[string]string, opts *Options) (*Plan, error) {
	p := parser{opts: opts, prefix: opts.prefix()}
	size := 0
	for key, value := range annotations {
		size += len(key) + len(value)
		if name, ok := strings.CutPrefix(key, p.prefix); ok {
			if row := keywordNamed(name); row >= 0 {
				p.found[row] = annotation{key, value}
			} else {
				p.unknown = append(p.unknown, annotation{key, value})
			}
		} else if len(key) > len(p.prefix) && strings.EqualFold(key[:len(p.prefix)], p.prefix) {
			p.unknown = append(p.unknown, annotation{key, value})
		}
	}
	if size > maxTotal {
		p.fault(&Error{Index: -1, Offset: -1, Code: CodeLimit, Detail: fmt.Sprintf("%d bytes of annotations: at most %d, so remove some", size, maxTotal)})
		return nil, p.faults
	}

	for row := range keywords {
		if a := p.found[row]; a.key != "" && !p.full() {
			p.value(a, &keywords[row])
		}
	}
	p.unknownKeys()
	p.conflicts()
	p.sortDrafts()
	warnings := p.ties()
	p.countActions()
	p.judge()
	if len(p.faults) > 0 {
		p.faults.sort()
		return nil, p.faults
	}

	plan := &Plan{Warnings: warnings, opts: opts.rewrite()}
	if len(p.drafts) > 0 {
		plan.Rules = make([]rewrite.Rule, len(p.drafts))
	}
	for i := range p.drafts {
		plan.Rules[i] = p.drafts[i].rule
	}
	return plan, nil
}

// An annotation is one entry of the map.
type annotation struct{ key, value string }

// A parser collects the actions and the faults of one map of annotations.
type parser struct {
	opts    *Options
	prefix  string
	found   [len(keywords)]annotation // by row of keywords
	unknown []annotation

	drafts []draft
	faults ErrorList

	// Where the reader is.
	annotation
	word  *keyword
	index int // of the item
	first int // index of the item's first draft
	hooks hookItems
}

// A draft is a rule on its way into the Plan.
type draft struct {
	rule  rewrite.Rule
	word  *keyword
	names []string // the arguments of the action
	set   *nameSet // of names, once it was needed
	param str      // that the action was made of, if it was one string
	loose bool     // hook and order are not what was meant, because of a fault
}

// fail reports a fault of the value that is being read.
func (p *parser) fail(offset int, code Code, detail string) {
	p.fault(&Error{Key: p.key, Index: p.index, Offset: offset, Code: code, Detail: detail})
}

// fault reports a fault. The last of too many says so.
func (p *parser) fault(e *Error) {
	if p.full() {
		return
	}
	if len(p.faults) == maxFaults-1 {
		e = &Error{Index: -1, Offset: -1, Code: CodeLimit, Detail: "too many faults to list: mend the others first"}
	}
	p.faults = append(p.faults, e)
}

// full reports whether there are so many faults that it is no use to look for
// more.
func (p *parser) full() bool { return len(p.faults) == maxFaults }

// unknownKeys reports the keys that are none of the table. A value that was
// likely meant for another key is read for its faults, all but those of
// params, so that they need not be mended one after the other.
func (p *parser) unknownKeys() {
	slices.SortFunc(p.unknown, func(a, b annotation) int { return cmp.Compare(a.key, b.key) })
	for _, a := range p.unknown {
		if p.full() {
			return
		}
		name := a.key[len(p.prefix):]
		detail := "unknown key: behind " + p.prefix + " write " + allKeywords
		near := nearestKeyword(name)
		if near != "" {
			detail = "unknown key: write " + p.prefix + near
			if strings.EqualFold(name, near) {
				detail = "letter case matters in keys: write " + p.prefix + near
			}
		}
		p.fault(&Error{Key: a.key, Index: -1, Offset: -1, Code: CodeUnknownKey, Detail: detail})
		if near != "" {
			p.value(a, &unknownKeyword)
		}
	}
}

func (p *parser) sortDrafts() {
	slices.SortStableFunc(p.drafts, func(a, b draft) int {
		return running(a.rule, b.rule)
	})
}

// running compares rules by when they run.
func running(a, b rewrite.Rule) int {
	return cmp.Or(cmp.Compare(hookPlace(a.Hook), hookPlace(b.Hook)), cmp.Compare(a.Order, b.Order))
}

// hookPlace returns the place of a hook among the three, in the order in which
// a request meets them.
func hookPlace(h rewrite.Hook) int {
	hooks := rewrite.Hooks()
	return slices.Index(hooks[:], h)
}
