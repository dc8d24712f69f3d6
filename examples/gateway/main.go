// Command gateway is a reverse proxy that takes its routes and rewrites from
// Ingress manifests:
//
//	go run ./examples/gateway                       # a demonstration, then serve it
//	go run ./examples/gateway -manifest shop.yaml   # serve your own
//
// It shows how the pieces of readdress fit into a program. A request takes
// this way, all of it in proxy.go:
//
//	rewritehttp.URL   the URL as the client wrote it
//	Input.Clean       refuse or normalise, before anything looks at it
//	Table.Route       host, path, conditions; rules of BeforeLocation may change the route
//	Redirect          an answer without a service
//	AfterLocation     rules of that route
//	pick              whose turn it is, if services share the route
//	Forward           rules that run once for each attempt
//	ModifyResponse    redirects and cookies, taken back to the client's URLs
//
// and config.go shows the way of a manifest into the table. An Ingress with
// faults is listed and the others are served. SIGHUP reads the manifest again;
// one that is not YAML, or has no Ingress, changes nothing.
//
// It is an example, not complete: it serves plain HTTP, so who terminates TLS
// before it sees redirects to https again and again; it has no certificates for
// services, and of their ports it knows the numbers, http and https; and it
// reads no routes but Ingresses.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	s := parseFlags()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP) // exists on Windows too, where it never comes
	if err := run(ctx, s, reload, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until ctx is done. Each value from reload reads the manifest again.
func run(ctx context.Context, s *settings, reload <-chan os.Signal, stdout, stderr io.Writer) error {
	demo := s.manifest == ""
	if demo {
		stop, err := startServices(&s.loader)
		if err != nil {
			return err
		}
		defer stop()
	}
	transport := newTransport()
	defer transport.CloseIdleConnections()
	g := &gateway{log: log.New(stderr, "", 0)}
	s.loader.transport, s.loader.log = transport, g.log
	if err := s.load(g); err != nil {
		return err
	}
	if s.once && !demo {
		if g.config.Load().faulty {
			return errors.New("not all of the manifest can be served")
		}
		return nil
	}

	listener, err := s.open(g.log)
	if err != nil {
		return err
	}
	server := newServer(g)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer server.Close()

	if demo {
		if err := demonstrate(ctx, stdout, listener.Addr().String()); err != nil {
			return err
		}
	}
	if s.once {
		return shutDown(server)
	}
	fmt.Fprintf(stdout, "listening on http://%s\n", listener.Addr())
	for {
		select {
		case <-reload:
			if err := s.load(g); err != nil {
				g.log.Printf("%v\nnot reloaded: the old configuration stays", err)
			} else {
				g.log.Print("reloaded")
			}
		case err := <-served:
			return err
		case <-ctx.Done():
			return shutDown(server)
		}
	}
}

// newServer returns the server of g. A client that says nothing for too long is
// hung up on, before its first request or between two; bodies may take their time.
func newServer(g *gateway) *http.Server {
	return &http.Server{Handler: g, ReadHeaderTimeout: time.Minute, IdleTimeout: 2 * time.Minute, ErrorLog: g.log}
}

// open returns what to serve on: where the user said, or the usual port. The
// demonstration alone, and one that finds the usual port taken, need any port.
func (s *settings) open(log *log.Logger) (net.Listener, error) {
	const usual, free = "127.0.0.1:8080", "127.0.0.1:0"
	if s.once {
		return net.Listen("tcp", free)
	}
	listener, err := net.Listen("tcp", cmp.Or(s.listen, usual))
	if err != nil && s.listen == "" {
		log.Printf("%v: taking a free port; -listen names another", err)
		return net.Listen("tcp", free)
	}
	return listener, err
}

// load compiles the manifest, prints what is wrong with it and swaps the
// configuration of g, or changes nothing if there is nothing to serve.
func (s *settings) load(g *gateway) error {
	file, manifest := "demo.yaml", demoManifest
	if s.manifest != "" {
		var err error
		if manifest, err = os.ReadFile(s.manifest); err != nil {
			return err
		}
		file = s.manifest
	}
	c, err := s.loader.load(file, manifest)
	if err != nil {
		return err
	}
	for _, p := range c.problems {
		g.log.Print(p)
	}
	if err := c.carryOver(g.config.Load()); err != nil {
		return err
	}
	g.config.Store(c)
	return nil
}

// shutDown lets running requests end, but not for ever.
func shutDown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return server.Shutdown(ctx)
}
