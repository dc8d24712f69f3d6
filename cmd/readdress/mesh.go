package main

// The configuration of a mesh: for explain, which asks it, and lint, which
// judges it.

import (
	"errors"
	"fmt"

	"github.com/readdress/readdress/cmd/readdress/internal/engine"
	"github.com/readdress/readdress/cmd/readdress/internal/manifest"
	"github.com/readdress/readdress/visibility"
)

// meshFields are where the fields that visibility.ParseConfig names can be.
var meshFields = []string{"serviceEntryVisibility", "spec.meshConfig.serviceEntryVisibility", "spec.meshConfig"}

// loadMesh reads the configuration of a mesh, which is one YAML document.
func loadMesh(env *environment, file string, set *manifest.Set) (*engine.Mesh, *manifest.Document, error) {
	d, err := readMesh(env, file)
	if err != nil {
		return nil, nil, err
	}
	mesh, err := engine.NewMesh(d.JSON, set)
	return mesh, d, placed(d, err)
}

// loadWarnings returns what is surprising in the configuration of a mesh. A
// lenient one is read as istiod does.
func loadWarnings(env *environment, file string, set *manifest.Set, lenient bool) ([]visibility.Warning, *manifest.Document, error) {
	if !lenient {
		mesh, d, err := loadMesh(env, file, set)
		if err != nil {
			return nil, nil, err
		}
		return mesh.Resolver.Warnings(), d, nil
	}
	d, err := readMesh(env, file)
	if err != nil {
		return nil, nil, err
	}
	config, warnings, err := visibility.ParseConfigLenient(d.JSON)
	if err != nil || config == nil {
		return warnings, d, placed(d, err)
	}
	r, err := visibility.Compile(config)
	if err != nil {
		return nil, nil, placed(d, err)
	}
	return append(warnings, r.Warnings()...), d, nil
}

func readMesh(env *environment, file string) (*manifest.Document, error) {
	data, err := readFile(env, file)
	if err != nil {
		return nil, err
	}
	return manifest.ReadDocument(file, data)
}

// placed adds positions to the faults of a configuration.
func placed(d *manifest.Document, err error) error {
	faults, ok := errors.AsType[visibility.Errors](err)
	if !ok {
		return err
	}
	var list []error
	for _, f := range faults {
		list = append(list, fmt.Errorf("%v: %w", d.Locate(f.Path, meshFields...), f))
	}
	return errors.Join(list...)
}
