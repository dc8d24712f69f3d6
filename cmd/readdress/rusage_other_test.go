//go:build unix && !linux

package main

import "os"

// maxResident returns 0: the unit of what the system says differs.
func maxResident(*os.ProcessState) int64 { return 0 }
