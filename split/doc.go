// Package split picks backends by weight: the weighted list of a route is made
// into a [Picker], which then says for each request whose turn it is.
//
//	picker, err := split.New([]split.Backend{
//		{Name: "coffee-v1", Weight: 80},
//		{Name: "coffee-v2", Weight: 20},
//	}, nil)
//	…
//	i, err := picker.Pick()
//	if err != nil { … } // answer 500
//
// It opens no connection, starts no goroutine, reads no clock and draws no
// random number. Everything is computed in integers, so that it is the same on
// every platform.
//
// # Smoothness
//
// After t picks, from slot 0 of the cycle on, a backend of weight w out of W has
// earned t·w/W of them. The deviation is the largest difference between that
// and what any backend has got, at any t; counted from another slot it can be
// up to twice as large. It is 0 after each cycle, which is W picks, or fewer
// where the weights have a common divisor. In between it depends on the schedule
// and on how the picker holds it, which [Picker.String] tells:
//
//   - none, one: no backend of positive weight, which is [ErrNoBackend], or a
//     single one.
//   - equal: n equal weights take turns. At most 1 - 1/n.
//   - table: a cycle of up to 65,536 slots in the order of Tijdeman's algorithm
//     (The chairman assignment problem, Discrete Mathematics 32, 1980). At most
//     1 - 1/(2n-2) for n weights that are not 0, and there are weights for
//     which nothing is better. No backend is ever ahead or behind by a whole
//     request.
//   - tree: a longer cycle, computed from the count of picks alone. Below 1.68
//     however many backends there are; the worst that was found is 1.43.
//
// [SmoothWRR] has nginx's order instead, for those who have to be the same.
// It deviates by up to 1/2 for n = 2 and 5/6 for n = 3, and by more than a
// whole request from n = 4 on, such as 1.05 with the weights 1, 13, 133, 133.
// Where the number of backends times the cycle is beyond 2^24, or the cycle
// beyond 65,536, it is the tree as well.
//
// Random picks deviate more the longer they go on: by about the square root of
// t. At 500 requests and 70 to 30 they are off by 10 or more every third time.
//
// All instances of a program that start at once start with the same backend,
// unless [Options] spread their phases.
//
// # Change
//
// [Picker.With] makes a picker for other weights that goes on where the old one
// is. Without it a backend of weight 1 in 100 gets nothing from a list that
// changes every 40 requests, and everybody's first request goes to the heaviest
// one.
//
// Each pick earns a backend its weight out of W as they are then, and so nothing
// while its weight is 0. Over any sequence of updates among the same names the
// difference between what a backend has earned and what it has got stays
// bounded, whoever chooses the weights and whenever. It is counted from slot 0
// of the first cycle too:
//
//   - If no weight is 0, it stays below 2 for n ≤ 8: within 1/2 + 1/3 + … + 1/n,
//     which is 1.72, and 2.38 for n = 16 and 3.74 for n = 64.
//   - If weights go to 0 and back, as [Renormalize] makes them do, it stays
//     within (n-1)/2, n being the number of names. Backends that come and go at
//     random stay below 2 for n ≤ 8; the worst that was found is 1.54.
//
// Nobody who cannot see the future can do better than either. They hold for as
// long as the picks after a change go to whoever is owed most: for 64 picks, or
// up to 4,096 where the cycle to come is a tree's. Whoever then lets a cycle
// begin between such changes was found to get up to 1/4 more.
//
// A name that is taken from the list is forgotten. When names come or go, each
// of the others keeps at most one request of what it is owed, or has had too
// much. When a heavy backend leaves, two equal ones that stay take turns, after
// at most two in a row for one of them, unless the changes before have put them
// more than two requests apart.
//
// A new picker and the old one are both usable, so a snapshot that holds one is
// swapped with the rest of it.
//
// # Stickiness
//
// [Picker.PickHash] gives the same user the same backend, and moves few users
// when weights change: between two backends no more than the change demands,
// from 90:10 to 80:20 every tenth, all of them towards the second, and the same
// from 90:10 to 8:2; between several, up to half as many again. Backends are
// told apart by name, so their order does not matter. Set [Options].Salt to
// something of the route's, or the same users are first everywhere.
// [Picker.PickExcept] is for the attempts after the first.
//
// # Shares without backends
//
// As in the Gateway API, an invalid reference keeps its share, and requests
// that fall on it are answered 500, as are all if the sum of the weights is 0.
// A backend whose endpoints are all down keeps its share too, to be answered
// 503, unless the caller applies [Renormalize].
//
// # nginx
//
// [AppendNginx] writes the same lists as split_clients blocks, and [Buckets]
// tells which row nginx gives to a key, bit for bit. Percentages of mirrored
// requests are out of scope.
//
// # Performance
//
// Pick is one atomic addition, a multiplication and a load, for any number of
// backends: a lock around smooth weighted round robin or a heap of deadlines
// takes 1.8 times as long for three backends and five times for 64. The
// addition is shared by all who pick; a [Cursor] has its own count. The tree
// divides once per level, of which heavy backends have few. PickHash computes a
// hash for every backend. No pick allocates.
package split
