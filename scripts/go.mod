module github.com/readdress/readdress/scripts

go 1.26.0
