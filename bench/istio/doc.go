// Package istio holds package visibility against Istio itself: what of a
// configuration is read and what compiles, which policy decides, to whom Envoy
// is told of a service, which of several with one host a sidecar or gateway is
// given, and what the webhook refuses, in what they answer; and in what deciding
// costs. Istio's control plane takes minutes to compile, so the tests have a
// build tag, and the module is not in go.work:
//
//	GOWORK=off go test -tags istio .
//	GOWORK=off go test -tags istio -run '^$' -bench . .
package istio
