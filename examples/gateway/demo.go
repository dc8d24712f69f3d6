package main

// The demonstration: the embedded manifest, services that echo what they
// receive, and a handful of requests.

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"text/tabwriter"
)

//go:embed demo.yaml
var demoManifest []byte

var demoServices = []string{"catalog", "pages", "coffee-v1", "coffee-v2"}

// demoAllowedHosts are the hosts that the tenants' first path segment may set.
var demoAllowedHosts = []string{"*.tenants.example"}

var demoRequests = []struct{ host, target string }{
	// The chain of five rules on path, query and host, and one at Forward.
	{"shop.example", "/api/items?q=tea&debug=1&page=2"},
	// Data stays as it came: an escaped slash, a semicolon, a bad escape.
	{"shop.example", "/api/a%2Fb?x=1;y=2&z=%zz"},
	// Prefixes end at a segment, and an escaped letter is the letter.
	{"shop.example", "/apix"},
	{"shop.example", "/%61pi/items"},
	// BeforeLocation changes which route it is.
	{"shop.example", "/old/api/items?q=tea"},
	{"shop.example", "/sale/7?item=7&from=mail"},
	{"shop.example", "/media/v3/logo.png"},
	// Two versions take turns, 80 to 20.
	{"shop.example", "/coffee?cup=1"},
	{"shop.example", "/coffee?cup=2"},
	{"shop.example", "/coffee?cup=3"},
	{"shop.example", "/coffee?cup=4"},
	{"shop.example", "/coffee?cup=5"},
	// Of the hosts in paths, only those on the allow-list.
	{"tenants.example", "/ann.tenants.example/index.html"},
	{"tenants.example", "/evil.example/index.html"},
	// Refused before any route is looked up.
	{"shop.example", "/api/../admin"},
	{"shop.example", "/api/%2e%2e/admin"},
	{"other.example", "/"},
}

// startServices starts the services of demo.yaml on free ports and tells l
// where they are.
func startServices(l *loader) (stop func(), err error) {
	var servers []*http.Server
	stop = func() {
		for _, s := range servers {
			s.Close()
		}
	}
	for _, name := range demoServices {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			stop()
			return nil, err
		}
		server := &http.Server{Handler: echo(name)}
		servers = append(servers, server)
		go server.Serve(listener)
		l.upstreams[name] = listener.Addr().String()
	}
	l.options.AllowedHosts = demoAllowedHosts
	return stop, nil
}

// echo answers with its name and the Host and request target it received.
func echo(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, r.Host, r.RequestURI)
	}
}

// demonstrate sends demoRequests to the gateway at addr and prints a line for
// each.
func demonstrate(ctx context.Context, w io.Writer, addr string) error {
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "THE CLIENT ASKS FOR\tSTATUS\tSERVICE\tHOST IT RECEIVES\tTARGET IT RECEIVES, OR WHY NOT")
	for _, d := range demoRequests {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+d.target, nil)
		if err != nil {
			return err
		}
		req.Host = d.host
		res, err := transport.RoundTrip(req)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return err
		}
		answer := strings.TrimSpace(string(body))
		if res.StatusCode != http.StatusOK {
			answer = "-\t-\t" + answer
		}
		fmt.Fprintf(table, "%s%s\t%d\t%s\n", d.host, d.target, res.StatusCode, answer)
	}
	return table.Flush()
}
