package main

import (
	"os"
	"syscall"
)

// maxResident returns the most memory that a process has had, in bytes.
func maxResident(p *os.ProcessState) int64 {
	return p.SysUsage().(*syscall.Rusage).Maxrss << 10
}
