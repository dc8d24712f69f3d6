// Package k8sdiff holds the label selectors of package visibility against those
// of k8s.io/apimachinery and of Istio, in what they mean and in what they cost.
// It is a module of its own, so that nobody else downloads theirs.
//
//	go test .                                         # 1,000,000 generated cases
//	go test -cases 10000                              # fewer
//	READDRESS_GATES=1 go test -run TestRatio -v .     # costs
package k8sdiff
