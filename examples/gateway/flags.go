package main

// The command line.

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/readdress/readdress/rewrite"
)

// settings are what the command line says.
type settings struct {
	listen   string
	manifest string // empty: demo.yaml
	once     bool
	loader   loader
}

// parseFlags reads the command line, or says what is wrong with it and exits.
func parseFlags() *settings {
	s := &settings{loader: loader{upstreams: make(map[string]string), options: new(rewrite.Options)}}
	flag.StringVar(&s.listen, "listen", "", "`address` to serve on; port 0 takes a free one\n(default 127.0.0.1:8080, or a free port if that is taken)")
	flag.StringVar(&s.manifest, "manifest", "", "YAML `file` of Ingresses; without it the embedded demo.yaml is served,\nwith echo services behind it")
	flag.BoolVar(&s.once, "once", false, "exit after the demonstration, which then takes a free port;\nwith -manifest, after the check of the file")
	flag.Func("upstream", "`[namespace/]service=host:port`, repeated: where a service is;\nothers are reached at service.namespace.svc.cluster.local and their port number", func(v string) error {
		service, addr, _ := strings.Cut(v, "=")
		if _, _, err := net.SplitHostPort(addr); err != nil || service == "" {
			return errors.New("write service=host:port")
		}
		s.loader.upstreams[service] = addr
		return nil
	})
	flag.Func("allow-host", "`host` or *.suffix, repeated: what host-from-path-prefix may set,\nand where redirect.url-from-query may lead", func(v string) error {
		s.loader.options.AllowedHosts = append(s.loader.options.AllowedHosts, v)
		_, err := rewrite.Compile(nil, s.loader.options)
		return err
	})
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: gateway [flags]\n\nServes the Ingresses of BFE, nginx, HAProxy, Traefik, Contour and Kong in a file; SIGHUP reads it again.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 || s.manifest == "" && len(s.loader.upstreams)+len(s.loader.options.AllowedHosts) > 0 {
		fmt.Fprintln(flag.CommandLine.Output(), "gateway takes no arguments, and -upstream and -allow-host only with -manifest")
		flag.Usage()
		os.Exit(2)
	}
	return s
}
