package main

// Inputs: the flags that name manifests, and how they are read.

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
)

// inputs are the flags of the commands that read manifests.
type inputs struct {
	files   list
	mode    string
	classes list
	hosts   list
	handled list
}

func (in *inputs) register(fs *flag.FlagSet) {
	fs.Var(&in.files, "f", "`FILE` with manifests, or a folder of such files; - is standard input; may be repeated")
	in.registerMode(fs)
}

// registerMode registers what can be said about manifests beside their names.
func (in *inputs) registerMode(fs *flag.FlagSet) {
	fs.StringVar(&in.mode, "mode", "strict", "`MODE`: strict, or compat, in which dialects do what their controllers do, also where that is seldom meant")
	fs.Var(&in.classes, "class", "`NAME=DIALECT`: what dialect an ingress class is; may be repeated")
	fs.Var(&in.handled, "handled", "`NAME` of an annotation, or a field or kind of another object, that the proxy obeys itself; may be repeated")
	fs.Var(&in.hosts, "allow-host", "`HOST` or *.suffix that rules may take from a request, and redirects from its query; may be repeated")
}

func (in *inputs) options() (*engine.Options, error) {
	opts := &engine.Options{Hosts: in.hosts, Handled: in.handled}
	var err error
	if opts.Compat, err = engine.ParseMode(in.mode); err != nil {
		return nil, fmt.Errorf("-%w", err)
	}
	classes := make(map[string]string)
	for _, c := range in.classes {
		name, dialect, ok := strings.Cut(c, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("-class %q: write NAME=DIALECT, with one of %s", c, strings.Join(engine.Dialects(), ", "))
		}
		classes[name] = dialect
	}
	if err := opts.SetClasses(classes); err != nil {
		return nil, fmt.Errorf("-%w", err)
	}
	for _, host := range in.hosts {
		if err := engine.CheckAllowed(host); err != nil {
			return nil, fmt.Errorf("-allow-host %w", err)
		}
	}
	return opts, nil
}

// load reads the files and compiles what they say.
func (in *inputs) load(env *environment) (*engine.Config, error) {
	if len(in.files) == 0 {
		return nil, errors.New("there are no manifests: name them with -f FILE")
	}
	return in.loadAny(env)
}

// loadAny is load for a command that can do without manifests.
func (in *inputs) loadAny(env *environment) (*engine.Config, error) {
	opts, err := in.options()
	if err != nil {
		return nil, err
	}
	set, err := read(env, in.files)
	if err != nil {
		return nil, err
	}
	return engine.Load(set, opts)
}

// read reads files and folders, each file once. The error joins what is wrong
// with each.
func read(env *environment, names []string) (*manifest.Set, error) {
	set := manifest.NewSet()
	var faults []error
	known := make(map[string]bool)
	for _, name := range names {
		files := []string{name}
		info, err := os.Stat(name)
		folder := err == nil && info.IsDir()
		if folder {
			if files, err = manifests(name); err != nil {
				faults = append(faults, err)
			}
		}
		var empty error
		before := len(set.Files)
		for _, file := range files {
			label := filepath.ToSlash(filepath.Clean(file))
			if id := identity(file); known[id] {
				continue
			} else if file != "-" {
				known[id] = true
			}
			data, err := readFile(env, file)
			if err == nil {
				err = set.Read(label, data)
			}
			if folder && manifest.IsEmpty(err) {
				empty = err
			} else if err != nil {
				faults = append(faults, err)
			}
		}
		if empty != nil && len(set.Files) == before { // no other file of the folder has objects
			faults = append(faults, empty)
		}
	}
	return set, errors.Join(faults...)
}

// identity returns the same for all names of a file.
func identity(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil && file != "-" {
		file = real
	}
	if abs, err := filepath.Abs(file); err == nil && file != "-" {
		file = abs
	}
	return file
}

// manifests returns the files of a folder, and of those in it, that are YAML or
// JSON by their names.
func manifests(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".yaml", ".yml", ".json":
			if !d.IsDir() {
				files = append(files, path)
			}
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no file that ends in .yaml, .yml or .json", folder)
	}
	return files, err
}

// maxFile is how large a file with manifests can be.
const maxFile = 64 << 20

func readFile(env *environment, name string) ([]byte, error) {
	in, _, err := open(env, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: a file with manifests can have %d MiB: split it", name, maxFile>>20)
	}
	return data, err
}

// open opens a file, or standard input, and returns its size, 0 if that is not
// known.
func open(env *environment, name string) (io.ReadCloser, int64, error) {
	if name == "-" {
		in, err := env.takeStdin()
		return io.NopCloser(in), 0, err
	}
	if name == "" {
		return nil, 0, errors.New("the name of a file is empty: write one, or - for standard input")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}
