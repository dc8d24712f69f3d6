package split

// Hashes of keys, and the mixing of hashes.

// Hash returns the 64-bit FNV-1a hash of a key, for [Picker.PickHash]. It is
// the same in every release of this package and on every platform. It is 0 for
// the empty key, which means no key, and for no other.
func Hash(key string) uint64 { return hash(key) }

// HashBytes is [Hash] for bytes.
func HashBytes(key []byte) uint64 { return hash(key) }

func hash[T string | []byte](key T) uint64 {
	if len(key) == 0 {
		return 0
	}
	h := uint64(0xcbf29ce484222325)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 0x100000001b3
	}
	if h == 0 {
		return 1
	}
	return h
}

// golden is 2^64 divided by the golden ratio, made odd.
const golden = 0x9e3779b97f4a7c15

// mix spreads every bit of x over all bits of the result, one to one. It is the
// finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
