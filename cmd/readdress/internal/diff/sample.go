package diff

// Sample: a path that a regular expression matches.

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// maxSample is how many bytes a sample has, about.
const maxSample = 64

// sample returns a path that an expression matches, with a slash at its
// beginning.
func (g *Generator) sample(expression string) string {
	s := pathBytes.Replace(g.text(expression))
	if strings.HasPrefix(s, "/") {
		return s
	}
	return "/" + s
}

// pathBytes escapes what cannot stand in a path.
var pathBytes = strings.NewReplacer(" ", "%20", "?", "%3F", "#", "%23")

// text returns a text that an expression matches. It does not look at assertions
// in the middle.
func (g *Generator) text(expression string) string {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	g.write(&b, re.Simplify())
	return b.String()
}

func (g *Generator) write(b *strings.Builder, re *syntax.Regexp) {
	if b.Len() > maxSample {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			writeRune(b, r)
		}
	case syntax.OpCharClass:
		g.class(b, re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("ab1./"[g.rng.IntN(5)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			g.write(b, sub)
		}
	case syntax.OpAlternate:
		g.write(b, re.Sub[g.rng.IntN(len(re.Sub))])
	case syntax.OpQuest:
		if g.rng.IntN(2) == 0 {
			g.write(b, re.Sub[0])
		}
	case syntax.OpStar, syntax.OpPlus:
		n := g.rng.IntN(4)
		if re.Op == syntax.OpPlus {
			n++
		}
		for range n {
			g.write(b, re.Sub[0])
		}
	}
}

// class writes a character of a class, a letter or digit where it has one.
func (g *Generator) class(b *strings.Builder, ranges []rune) {
	if len(ranges) == 0 {
		return
	}
	for _, want := range []rune{'a', 'x', '1', '-'} {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] && g.rng.IntN(2) == 0 {
				writeRune(b, want)
				return
			}
		}
	}
	i := g.rng.IntN(len(ranges)/2) * 2
	writeRune(b, ranges[i]+rune(g.rng.IntN(int(min(ranges[i+1]-ranges[i], maxSample)+1))))
}

// writeRune writes what is no control character.
func writeRune(b *strings.Builder, r rune) {
	if unicode.IsControl(r) {
		r = 'a'
	}
	b.WriteRune(r)
}
