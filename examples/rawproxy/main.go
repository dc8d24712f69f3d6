// Command rawproxy is a reverse proxy for HTTP/1.1 on plain connections, without
// net/http:
//
//	go run ./examples/rawproxy -upstream catalog.default.svc.cluster.local:80=127.0.0.1:9000
//	go run ./examples/rawproxy -manifest shop.json    # serve your own Ingresses
//
// Without -manifest it serves demo.json, whose services are where -upstream says.
//
// It shows that readdress needs nothing of net/http: a request is bytes, head.go
// finds its parts in them, decide.go says where it goes, and proxy.go sends it
// there. What decides allocates nothing, which a test holds it to.
//
// It is small, not complete: there is no TLS, no upgrade to other protocols, no
// time limit for services and bodies, no way back for redirects and cookies, no
// X-Forwarded-For but what the client sent, and a connection to a service serves
// one request.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/readdress/readdress/route/ingress"
)

//go:embed demo.json
var demo []byte

func main() {
	listen := flag.String("listen", "127.0.0.1:8081", "`address` to serve on")
	manifest := flag.String("manifest", "", "`file` with a JSON list of Ingresses; without it demo.json")
	upstreams := make(map[string]string)
	flag.Func("upstream", "`service.namespace.svc.cluster.local:port=host:port`, repeated: where a service is", func(v string) error {
		from, to, _ := strings.Cut(v, "=")
		if _, _, err := net.SplitHostPort(to); err != nil || from == "" {
			return errors.New("write service.namespace.svc.cluster.local:port=host:port")
		}
		upstreams[from] = to
		return nil
	})
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "rawproxy takes no arguments")
		flag.Usage()
		os.Exit(2)
	}
	fmt.Fprintln(os.Stderr, run(*listen, *manifest, upstreams))
	os.Exit(1)
}

// run serves until it cannot, and says why.
func run(listen, manifest string, upstreams map[string]string) error {
	data, file := demo, "demo.json"
	if manifest != "" {
		file = manifest
		var err error
		if data, err = os.ReadFile(manifest); err != nil {
			return err
		}
	}
	var objects []json.RawMessage
	if err := json.Unmarshal(data, &objects); err != nil {
		return fmt.Errorf("%s: %w: write a JSON list of Ingresses", file, err)
	}
	var ingresses []*ingress.Ingress
	for i, text := range objects {
		in := new(ingress.Ingress)
		if err := json.Unmarshal(text, in); err != nil {
			fmt.Fprintf(os.Stderr, "%s: object %d is not served: %v\n", file, i, err)
			continue
		}
		ingresses = append(ingresses, in)
	}
	routes, problems, err := load(ingresses, upstreams)
	if err != nil {
		return err
	}
	for i := range problems {
		fmt.Fprintln(os.Stderr, problems[i].Error())
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	return (&proxy{routes: routes, dial: (&net.Dialer{Timeout: 10 * time.Second}).Dial}).serve(listener)
}
