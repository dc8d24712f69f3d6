// Package k8sdiff holds the label selectors of package visibility against those
// of k8s.io/apimachinery and of Istio, in what they mean and in what they cost,
// and its lenient reader of configurations against the one of istiod. It is a
// module of its own, so that nobody else downloads theirs, and not in go.work,
// hence GOWORK=off:
//
//	GOWORK=off go test .                                         # 1,000,000 generated cases
//	GOWORK=off go test . -cases 10000                            # fewer
//	GOWORK=off READDRESS_GATES=1 go test -run TestRatio -v .     # costs
package k8sdiff
