package split

// Representation is the form in which a picker holds its schedule.
func Representation(p *Picker) string { return p.kind.String() }

// Murmur2 is the hash of nginx's split_clients.
func Murmur2(key string) uint32 { return murmur2(key) }

// Mod is t modulo n as picks compute it.
func Mod(n, t uint64) uint64 {
	d := newDivisor(n)
	return d.mod(t)
}

// NegLog2 is the age of a hash, in units of 2^-36.
func NegLog2(u uint64) uint64 { return negLog2(u) }

// The number of picks from a change to the cycle of a table, and to that of a
// tree over a few backends.
const (
	Settling     = settling
	SettlingTree = settlingTree
)
