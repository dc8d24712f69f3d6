package route

// Texts that a regular expression should match, for witnesses: good guesses,
// which the caller tries.

import (
	"regexp/syntax"
	"unicode/utf8"
)

// mostSample is how many bytes a sample has at most.
const mostSample = 4096

// samples returns a text with as few repetitions as expr has to have, and one
// with one more of each.
func samples(expr string) []string {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	tree = tree.Simplify()
	var list []string
	for more := range 2 {
		if text := appendSample(nil, tree, more); len(text) <= mostSample {
			list = append(list, string(text))
		}
	}
	return list
}

func appendSample(dst []byte, re *syntax.Regexp, more int) []byte {
	if len(dst) > mostSample {
		return dst
	}
	switch re.Op {
	case syntax.OpLiteral:
		return append(dst, string(re.Rune)...)
	case syntax.OpCharClass:
		return utf8.AppendRune(dst, pathRune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return append(dst, 'a')
	case syntax.OpCapture:
		return appendSample(dst, re.Sub[0], more)
	case syntax.OpPlus:
		return appendSample(dst, re.Sub[0], more)
	case syntax.OpStar, syntax.OpQuest:
		if more == 0 {
			return dst
		}
		return appendSample(dst, re.Sub[0], more)
	case syntax.OpAlternate:
		return appendSample(dst, re.Sub[0], more)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			dst = appendSample(dst, sub, more)
		}
	}
	return dst
}

// pathRune returns a rune of a class, one that may stand in a path if it has one.
func pathRune(class []rune) rune {
	for _, r := range "a0Abcdefghijklmnopqrstuvwxyz123456789BCDEFGHIJKLMNOPQRSTUVWXYZ-_~!$&'()*+,;=:@[]./" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= r && r <= class[i+1] {
				return r
			}
		}
	}
	if len(class) == 0 {
		return utf8.RuneError
	}
	return class[0]
}
