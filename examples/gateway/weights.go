package main

// The annotation that lets several services share the requests of one name:
//
//	bfe.ingress.kubernetes.io/balance.weight: '{"shop": {"shop-v1": 70, "shop-v2": 30}}'
//
// Every path of the Ingress whose service is "shop", which need not exist, is
// split over the two, at the port of that path. Weights are relative, whole
// numbers from 0. The JSON is strict, and a name must be that of a path's
// service, so that a slip of the pen does not pass for a service.
//
// BFE refuses weights that are all 0. Here they are a way to close a route: as
// in the Gateway API, every request is answered with 500.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/readdress/readdress/annotation"
	"github.com/readdress/readdress/split"
)

const weightKey = "bfe.ingress.kubernetes.io/balance.weight"

// readWeights returns the services that share the requests of each name in
// the annotation of in. Weights with faults are left out.
func readWeights(in *ingress, values map[string]string, fs *faults) map[string][]split.Backend {
	value, ok := values[weightKey]
	if !ok {
		return nil
	}
	r := &weightReader{func(offset int, format string, args ...any) {
		fs.addAnnotation(in, values, &annotation.Error{
			Key: weightKey, Index: -1, Offset: offset, Detail: fmt.Sprintf(format, args...),
		})
	}}
	if err := json.Unmarshal([]byte(value), new(json.RawMessage)); err != nil {
		offset := len(value)
		// A value that ends too soon has no byte to blame.
		if e, ok := errors.AsType[*json.SyntaxError](err); ok && e.Error() != "unexpected end of JSON input" {
			offset = int(e.Offset) - 1
		}
		r.fault(offset, "not JSON: %v", err)
		return nil
	}
	shared := make(map[string][]split.Backend)
	r.object(member{value: []byte(value)}, func(m member) {
		if !in.hasService(m.name) {
			r.fault(m.nameOffset, "no path of this Ingress has the service %q", m.name)
		}
		shared[m.name] = r.services(m)
	})
	return shared
}

// A weightReader walks JSON that is known to be well-formed.
type weightReader struct {
	fault func(offset int, format string, args ...any)
}

// A member is one of a JSON object, with the offsets of its parts in the
// annotation.
type member struct {
	name        string
	value       []byte
	nameOffset  int
	valueOffset int
}

// services reads an object of weights by service.
func (r *weightReader) services(group member) []split.Backend {
	var services []split.Backend
	r.object(group, func(m member) {
		weight, err := strconv.ParseUint(string(m.value), 10, 32)
		if err != nil || weight > split.MaxWeight {
			r.fault(m.valueOffset, "write a whole number from 0 to %d", split.MaxWeight)
			weight = 0
		}
		services = append(services, split.Backend{Name: m.name, Weight: uint32(weight)})
	})
	return services
}

// object calls f for each member of the object that is the value of parent.
func (r *weightReader) object(parent member, f func(member)) {
	data := parent.value
	dec := json.NewDecoder(bytes.NewReader(data))
	if token, _ := dec.Token(); token != json.Delim('{') || !dec.More() {
		r.fault(parent.valueOffset, `write {"service": weight} for the services that share the requests of a service, as in {"shop": {"shop-v1": 70, "shop-v2": 30}}`)
		return
	}
	seen := make(map[string]bool)
	for dec.More() {
		before := int(dec.InputOffset())
		m := member{nameOffset: before + bytes.IndexByte(data[before:], '"')}
		name, _ := dec.Token()
		m.name, _ = name.(string)
		var value json.RawMessage
		dec.Decode(&value)
		m.value, m.valueOffset = value, int(dec.InputOffset())-len(value)
		m.nameOffset += parent.valueOffset
		m.valueOffset += parent.valueOffset
		switch {
		case m.name == "":
			r.fault(m.nameOffset, "write the name of a service")
		case seen[m.name]:
			r.fault(m.nameOffset, "%q stands here twice", m.name)
		default:
			f(m)
		}
		seen[m.name] = true
	}
}
