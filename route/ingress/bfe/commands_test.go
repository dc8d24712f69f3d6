package bfe_test

// The commands of mod_rewrite: what BFE makes of a request, and what the
// program that is read makes of it.

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readdress/readdress/rewrite"
	"github.com/readdress/readdress/route/ingress"
	"github.com/readdress/readdress/route/ingress/bfe"
)

var anyHost = &rewrite.Options{AllowAnyHost: true}

// testdata/commands.json has requests before and after commands in BFE, from
// its tests, its documents and its code, and, where the program that is read
// does another thing, that thing and why: a URL, "refused", or the code of the
// problem because of which there is no rule; or a URL and the code of a warning.
func TestCommands(t *testing.T) {
	data, err := os.ReadFile("testdata/commands.json")
	require.NoError(t, err)
	var rows []struct {
		Name, In, BFE, Ours, Why string
		Actions                  json.RawMessage
	}
	require.NoError(t, json.Unmarshal(data, &rows))
	require.NotEmpty(t, rows)
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			file := `{"Version": "1", "Config": {"default": [{"Cond": "default_t()", "Actions": ` + string(row.Actions) + `, "Last": true}]}}`
			entries, problems := bfe.Read([]byte(file), &bfe.ReadOptions{Rewrite: anyHost})
			want := row.BFE
			if row.Ours != "" {
				want = row.Ours
				assert.NotEqual(t, row.BFE, row.Ours)
			}
			assert.Equal(t, row.Ours == "", row.Why == "", "a row has a reason exactly if the two differ")
			want, code, _ := strings.Cut(want, " bfe-")
			if strings.HasPrefix(want, "bfe-") {
				code = strings.TrimPrefix(want, "bfe-")
			}
			if code != "" {
				require.Len(t, problems, 1)
				assert.Equal(t, ingress.Code("bfe-"+code), problems[0].Code)
			} else {
				assert.Empty(t, problems)
			}
			if strings.HasPrefix(want, "bfe-") {
				assert.Equal(t, ingress.Error, problems[0].Severity)
				assert.Empty(t, entries)
				return
			}
			require.Len(t, entries, 1)
			program, err := rewrite.Compile(entries[0].Rules, anyHost)
			require.NoError(t, err)
			written, _ := bfe.Write(entries, nil)
			again, _ := bfe.Read(written, &bfe.ReadOptions{Rewrite: anyHost})
			require.Len(t, again, 1)
			require.Len(t, again[0].Rules, len(entries[0].Rules), string(written))
			for i, r := range entries[0].Rules {
				assert.True(t, r.Action.Equal(again[0].Rules[i].Action), "%v was read as %v", r.Action, again[0].Rules[i].Action)
			}
			u, err := rewrite.Parse(row.In)
			require.NoError(t, err)
			require.NoError(t, (&rewrite.Input{DotSegments: rewrite.KeepDotSegments}).Clean(&u, nil))
			if _, err = program.Apply(rewrite.AfterLocation, &u, nil); err != nil {
				assert.ErrorIs(t, err, rewrite.ErrRefused)
				assert.Equal(t, want, "refused")
				return
			}
			assert.Equal(t, want, u.String())
		})
	}
}
