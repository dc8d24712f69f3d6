// Package istio holds package visibility against the evaluator of Istio itself:
// which policy decides, and to whom Envoy is told of a service, in what they
// answer and in what they cost. Istio's control plane takes minutes to compile,
// so the tests have a build tag, and the module is not in go.work:
//
//	GOWORK=off go test -tags istio .
//	GOWORK=off go test -tags istio -run '^$' -bench . .
package istio
