module github.com/readdress/readdress/cmd/readdress

go 1.26.0

require (
	github.com/creack/pty v1.1.24
	github.com/readdress/readdress v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/net v0.62.0
	golang.org/x/term v0.48.0
	golang.org/x/text v0.43.0
)

require (
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
