package livetest

import "syscall"

// A server does not outlive a test that is killed.
func init() { attributes = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
