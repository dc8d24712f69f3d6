package main

// diff: whether two configurations give the same result.

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/diff"
	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/lint"
	"github.com/readdress/readdress/cmd/readdress/internal/report"
	"github.com/readdress/readdress/cmd/readdress/internal/term"
)

// diffFlags are the flags of diff beside those about manifests.
type diffFlags struct {
	n, most    int
	seed       uint64
	log, urls  string
	hosts      list
	scheme     string
	method     string
	headers    list
	listenPort int
	asJSON     bool
}

func runDiff(env *environment, fs *flag.FlagSet, args []string) (int, error) {
	var in inputs
	var f diffFlags
	in.registerMode(fs)
	fs.IntVar(&f.n, "n", 10_000, "generate so many `URLS` from the patterns of both sides")
	fs.Uint64Var(&f.seed, "seed", 1, "`NUMBER` from which they are generated")
	fs.IntVar(&f.most, "max", 10, "show so many `WAYS` in which the two differ; 0: all")
	fs.StringVar(&f.urls, "urls", "", "`FILE` with a URL on each line; - is standard input")
	fs.StringVar(&f.log, "log", "", "`FILE` that is an access log in common or combined format; - is standard input")
	fs.Var(&f.hosts, "host", "`HOST` of the requests in the access log; may be repeated, for each of several")
	fs.StringVar(&f.scheme, "scheme", "https", "`SCHEME` of the requests in the access log")
	fs.StringVar(&f.method, "X", "GET", "`METHOD` of the given URLs")
	fs.Var(&f.headers, "H", "`'NAME: VALUE'`: a header of the given requests; may be repeated")
	fs.IntVar(&f.listenPort, "listen-port", 0, "`PORT` on which the requests come")
	fs.BoolVar(&f.asJSON, "json", false, "write JSON")
	rest, err := parse(fs, args)
	if err != nil {
		return 0, err
	}
	if len(rest) < 2 {
		return 0, errors.New("write two files or folders with manifests")
	}
	request, err := f.check()
	if err != nil {
		return 0, err
	}
	var sides [2]*engine.Config
	for i := range sides {
		side := in
		side.files = list{rest[i]}
		if sides[i], err = side.load(env); err != nil {
			return 0, err
		}
		if !f.asJSON && (i == 0 || rest[1] != rest[0]) {
			mention(env, rest[i], sides[i])
		}
	}
	d := diff.New(sides[0], sides[1])
	skipped, err := f.compare(env, d, request, rest[2:])
	if err != nil {
		return 0, err
	}
	if d.Requests == 0 {
		return 0, errors.New("nothing was compared: write URLs, -urls FILE with some, -log FILE, or -n above 0")
	}
	if f.asJSON {
		err = writeDiffJSON(env, d, skipped, f.most)
	} else {
		err = writeDiff(env, d, rest[0], rest[1], skipped, f.most)
	}
	if err != nil || d.Different == 0 {
		return exitOK, err
	}
	return exitFound, nil
}

// mention says that a side has faults.
func mention(env *environment, name string, c *engine.Config) {
	if n := lint.Faults(lint.Run(c)); n > 0 {
		_ = term.NewPrinter(env.stderr).Line(0, 4, term.Span{ // there is nowhere else to say it
			Text: fmt.Sprintf("%s has faults: %s; readdress lint lists them", name, count(n, "error or warning", "errors and warnings")),
		})
	}
}

// check reports flags that cannot be obeyed. It returns what the requests have in
// common.
func (f *diffFlags) check() (engine.Request, error) {
	request, err := requestOf(f.method, f.headers, f.listenPort)
	switch {
	case err != nil:
		return request, err
	case f.n < 0:
		return request, fmt.Errorf("-n %d: write 0 or more", f.n)
	case f.most < 0:
		return request, fmt.Errorf("-max %d: write 0 for all, or more", f.most)
	case f.scheme != "http" && f.scheme != "https":
		return request, fmt.Errorf("-scheme %q: write http or https", f.scheme)
	case f.log != "" && len(f.hosts) == 0:
		return request, errors.New("an access log does not say for which host its requests were: write -host")
	}
	for _, host := range f.hosts {
		if err := engine.CheckHost(host); err != nil {
			return request, fmt.Errorf("-host: %w", err)
		}
	}
	return request, nil
}

// compare compares what the flags and arguments name, and then generated
// requests. It returns how many lines of the access log are no requests.
func (f *diffFlags) compare(env *environment, d *diff.Diff, request engine.Request, urls []string) (skipped int, err error) {
	one := func(url string) error {
		r := request
		r.URL = engine.Absolute(url)
		return d.Compare(&r)
	}
	for _, url := range urls {
		if err := one(url); err != nil {
			return 0, err
		}
	}
	if f.urls != "" {
		if err := f.compareList(env, one); err != nil {
			return 0, err
		}
	}
	if f.log != "" {
		if skipped, err = f.compareLog(env, d, request); err != nil {
			return 0, err
		}
	}
	progress := newProgress(env, int64(f.n))
	defer progress.Clear()
	g := diff.NewGenerator(d.A, d.B, f.seed)
	for i := range f.n {
		progress.Show(i, "generated requests", int64(i))
		r := g.Next()
		r.ListenerPort = f.listenPort
		if err := d.Compare(&r); err != nil {
			return 0, err
		}
	}
	return skipped, nil
}

func (f *diffFlags) compareList(env *environment, one func(url string) error) error {
	in, _, err := open(env, f.urls)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		url := strings.TrimSuffix(lines.Text(), "\r")
		if url == "" || strings.HasPrefix(url, "#") {
			continue
		}
		if err := one(url); err != nil {
			return fmt.Errorf("%s:%d:1: %w", f.urls, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", f.urls, err)
	}
	return nil
}

func (f *diffFlags) compareLog(env *environment, d *diff.Diff, request engine.Request) (skipped int, err error) {
	in, size, err := open(env, f.log)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	progress := newProgress(env, size)
	defer progress.Clear()
	log, before := diff.NewLogReader(in), d.Requests
	for {
		method, target, err := log.Next()
		if errors.Is(err, io.EOF) {
			if d.Requests == before {
				return 0, fmt.Errorf("%s: there is no request in it: write an access log in common or combined format", f.log)
			}
			return log.Skipped, nil
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", f.log, err)
		}
		urls := []string{target}
		if strings.HasPrefix(target, "/") {
			urls = urls[:0]
			for _, host := range f.hosts {
				urls = append(urls, f.scheme+"://"+host+target)
			}
		}
		understood := true
		for _, url := range urls {
			r := request
			r.Method, r.URL = method, url
			understood = d.Compare(&r) == nil && understood
		}
		if !understood {
			log.Skipped++
		}
		progress.Show(log.Lines, "lines", log.Bytes)
	}
}

// newProgress returns a Progress on standard error.
func newProgress(env *environment, total int64) *term.Progress {
	if out, ok := env.stderr.(*os.File); ok {
		return term.NewProgress(out, total)
	}
	return nil
}

// shown returns the ways to differ that are to be shown.
func shown(d *diff.Diff, most int) (groups []*diff.Group, more int) {
	groups = d.Groups()
	if most > 0 && len(groups) > most {
		return groups[:most], len(groups) - most
	}
	return groups, 0
}

func writeDiff(env *environment, d *diff.Diff, nameA, nameB string, skipped, most int) error {
	p := term.NewPrinter(env.stdout)
	groups, more := shown(d, most)
	for _, g := range groups {
		a, err := d.A.Explain(&g.Request)
		if err != nil {
			return err
		}
		b, err := d.B.Explain(&g.Request)
		if err != nil {
			return err
		}
		title := a.Method + " " + a.URL
		for _, h := range g.Request.Headers {
			title += "  " + h.Name + ": " + h.Value
		}
		err = p.Line(0, 4, term.Span{Text: "DIFFERENT " + g.What, Style: term.Red}, term.Span{Text: " for " + count(g.Count, "request", "requests") + ", such as "},
			term.Span{Text: title, Style: term.Bold})
		if err == nil {
			err = report.SideBySide(env.stdout, nameA, a, nameB, b)
		}
		if err == nil {
			err = p.Line(0, 0)
		}
		if err != nil {
			return err
		}
	}
	if skipped > 0 {
		fmt.Fprintf(env.stderr, "no request: %s of the access log\n", count(skipped, "line", "lines"))
	}
	if d.Different == 0 {
		return p.Line(0, 4, term.Span{Text: "equal", Style: term.Green}, term.Span{Text: " for " + count(d.Requests, "request", "requests")})
	}
	text := fmt.Sprintf(" for %d of %d requests, in %s", d.Different, d.Requests, count(len(groups)+more, "way", "ways"))
	if more > 0 {
		text += fmt.Sprintf(", %d of which are not shown: write -max 0", more)
	}
	return p.Line(0, 4, term.Span{Text: "different", Style: term.Red}, term.Span{Text: text})
}

func writeDiffJSON(env *environment, d *diff.Diff, skipped, most int) error {
	type way struct {
		What    string              `json:"what"`
		Count   int                 `json:"count"`
		Headers []engine.Header     `json:"headers,omitempty"`
		A       *engine.Explanation `json:"a"`
		B       *engine.Explanation `json:"b"`
	}
	out := struct {
		Requests  int   `json:"requests"`
		Different int   `json:"different"`
		Skipped   int   `json:"skipped,omitempty"`
		Ways      []way `json:"ways"`
	}{d.Requests, d.Different, skipped, []way{}}
	groups, _ := shown(d, most)
	for _, g := range groups {
		a, err := d.A.Explain(&g.Request)
		if err != nil {
			return err
		}
		b, err := d.B.Explain(&g.Request)
		if err != nil {
			return err
		}
		a.EscapeBytes()
		b.EscapeBytes()
		out.Ways = append(out.Ways, way{g.What, g.Count, g.Request.Headers, a, b})
	}
	return writeJSON(env, out)
}

// count returns a number and its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
