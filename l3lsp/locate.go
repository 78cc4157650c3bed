package l3lsp

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

var errMissing = errors.New("it is not installed; install it with")

// locate finds the executable of a server, and the search path that it gets.
// Its error wraps errMissing when there is none.
func (p *Pool) locate(spec *Spec, _ string, _ bool) (bin, path string, err error) {
	bin, err = exec.LookPath(spec.Command[0])
	if err != nil {
		return "", "", fmt.Errorf("%w: %s", errMissing, spec.Install)
	}
	return bin, os.Getenv("PATH"), nil
}
