package rewrite

// The prefix actions, on a form: what the constant decides, and the comparison
// with the rest of the base where it does not.

import "strings"

// prefix compiles the comparison with one prefix of s after the other.
func (f *fuser) prefix(s *step, p place) (pc int32, next place) {
	next = place{step: p.step + 1, form: p.form}
	if p.arg == len(s.match) {
		return noCode, next
	}
	other := place{step: p.step, arg: p.arg + 1, form: p.form} // if this one does not match
	segment := s.op == OpTrimPathPrefix || s.op == OpReplacePathPrefix
	prefix, text := s.match[p.arg], p.form.text

	n, left, ok := matchConst(text, prefix, s.fold)
	switch {
	case !ok, left != "" && p.form.tail == noTail:
		return noCode, other
	case left == "" && (n < len(text) || p.form.tail == noTail || prefix == ""):
		// The constant decides.
		rest := form{text[n:], p.form.tail, p.form.opaque}
		if segment && !rest.onBoundary(s.exact == needsSlash) {
			return noCode, other
		}
		next.form = s.replaced(rest)
		return noCode, next
	case left == "" && segment:
		// The constant is the prefix, the tail begins with a slash or a word.
		if p.form.tail == wordTail {
			return noCode, other
		}
		next.form = s.replaced(form{"", p.form.tail, p.form.opaque})
		return noCode, next
	case left == "":
		next.form = s.replaced(form{"", p.form.tail, p.form.opaque})
		return noCode, next
	}

	outcome := func(t tail) place {
		next := next
		next.form = s.replaced(form{"", t, p.form.opaque})
		return next
	}
	in := inst{op: codeText, text: left, fold: s.fold}
	to := [4]place{onNo: other, onEmpty: outcome(noTail), onSlash: outcome(slashTail), onWord: outcome(wordTail)}
	if segment {
		in.op, to[onWord] = codeTrim, other
		in.word, in.mask = shortWord(left, s.fold)
		if s.exact == needsSlash {
			in.flag, to[onEmpty] = true, other
		}
	}
	return f.branch(in, p.step, to), p
}

// shortWord returns what the first eight bytes of a path are, under a mask, if
// it begins with prefix and a slash. The mask is 0 if that takes more.
func shortWord(prefix string, fold bool) (word, mask uint64) {
	if len(prefix) > 7 || fold {
		return 0, 0
	}
	for i := range len(prefix) + 1 {
		mask |= 0xFF << (8 * i)
	}
	return load64(prefix+"/\x00\x00\x00\x00\x00\x00\x00", 0), mask
}

// onBoundary reports whether a prefix that ends before rest ends a segment.
func (rest form) onBoundary(needsSlash bool) bool {
	if rest.text != "" {
		return rest.text[0] == '/'
	}
	return rest.tail == slashTail || rest.tail == noTail && !needsSlash
}

// replaced returns the path after a prefix action whose prefix matched and
// left rest.
func (s *step) replaced(rest form) form {
	with := ""
	if len(s.args) > 0 {
		with = s.args[0]
	}
	empty := rest.text == "" && rest.tail == noTail
	slash := rest.text == "" && rest.tail == slashTail || rest.text != "" && rest.text[0] == '/'
	switch {
	case empty:
		if with == "" {
			with = "/"
		}
	case s.exact == putSlash:
		with = "/"
	case slash:
		with = strings.TrimSuffix(with, "/")
	case with == "":
		with = "/"
	}
	rest.text = with + rest.text
	return rest
}

// matchConst compares the constant text with a canonical prefix. ok is false
// if they differ. Else n bytes of text were taken, and left is what the prefix
// has beyond text: if it is not empty, text was taken whole.
func matchConst(text, prefix string, fold bool) (n int, left string, ok bool) {
	for n < len(text) && prefix != "" {
		unit := text[n : n+1]
		if text[n] == '%' {
			unit = text[n : n+3]
		}
		canon := canonical(unit)
		if fold && len(canon) == 1 {
			canon = strings.ToLower(canon)
		}
		if !strings.HasPrefix(prefix, canon) {
			return n, prefix, false
		}
		n += len(unit)
		prefix = prefix[len(canon):]
	}
	return n, prefix, true
}
