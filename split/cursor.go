package split

// Picking without a shared counter.

// A Cursor picks from a [Picker] by a count of its own, so that workers do not
// share an atomic counter. Each worker's picks are as smooth as the picker's,
// counted from the same slot; those of k workers together deviate from the
// shares by up to k times as much. A Cursor is for one goroutine at a time. The
// zero Cursor has no backends.
type Cursor struct {
	p *Picker
	t uint64
}

// Cursor returns a cursor that begins at slot phase of the cycle, modulo its
// length. Workers begin apart with w·p.Cycle()/workers for worker w. A cursor
// keeps to its picker: take a new one after [Picker.With].
func (p *Picker) Cursor(phase uint64) Cursor {
	if p == nil {
		return Cursor{}
	}
	if p.cycle > 0 {
		phase %= p.cycle
	}
	return Cursor{p, uint64(len(p.lead)) + phase}
}

// Pick is [Picker.Pick], in the cursor's own order. The picker's counter is not
// touched.
func (c *Cursor) Pick() (int, error) {
	if c.p == nil || c.p.kind == kindNone {
		return -1, ErrNoBackend
	}
	t := c.t
	c.t++
	return c.p.judge(c.p.at(t))
}
