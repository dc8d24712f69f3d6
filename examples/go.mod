module github.com/readdress/readdress/examples

go 1.26.0

require (
	github.com/readdress/readdress v0.0.0
	go.yaml.in/yaml/v3 v3.0.6
)

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/readdress/readdress => ..
