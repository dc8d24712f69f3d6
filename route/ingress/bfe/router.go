package bfe

// router.header and router.cookie: conditions of all entries of an Ingress.

import (
	"strings"

	"github.com/readdress/readdress/internal/token"
	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route"
	"github.com/readdress/readdress/route/ingress/internal/judge"
)

// router reads both annotations. A value is data: in BFE a "|" makes it two
// and a quote ends it.
func (t *translator) router() {
	t.condition(keyHeader, &t.when.Headers)
	t.condition(keyCookie, &t.when.Cookies)
}

func (t *translator) condition(key string, list *[]route.Condition) {
	text := t.in.Annotations[key]
	if strings.TrimSpace(text) == "" {
		return
	}
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	origin := rewrite.Origin{Key: key}
	switch {
	case !ok:
		origin.Offset = len(text)
		t.refuse(CodeRouter, origin, `%.64q has no colon: write "name: value"`, text)
		return
	case name == "":
		t.refuse(CodeRouter, origin, `there is no name before the colon: write "name: value"`)
		return
	case value == "":
		origin.Offset = len(text)
		t.refuse(CodeRouter, origin, `there is no value behind the colon: write "name: value"`)
		return
	}
	at := strings.LastIndex(text, value)
	for i := range len(value) {
		origin.Offset = at + i
		switch c := value[i]; {
		case c < ' ' && c != '\t' || c == 0x7F:
			t.refuse(CodeRouter, origin, "the value has a control byte, which no request can have: remove it")
			return
		case c == ';' && key == keyCookie:
			t.refuse(CodeRouter, origin, `the value has a ";", which ends a cookie, so that no request matches: write the value of one cookie`)
			return
		}
	}
	origin.Offset = strings.Index(text, name)
	*list = []route.Condition{{Name: name, Value: value}}
	if faults := judge.Route(route.Pattern{}, t.when, t.c); faults != nil {
		*list = nil
		origin.Offset += max(token.Bad(name), 0)
		t.refuse(CodeRouter, origin, "%v", faults[0].Err)
	}
}
