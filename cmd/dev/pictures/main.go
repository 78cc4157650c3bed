// Command pictures draws the output of commands on a terminal: it runs commands of sextant in a
// pinned repository, each in a pseudo-terminal of its own, and writes the output of each as an
// SVG to docs/pictures.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// columns and rows are the size of the terminals.
const (
	columns = 80
	rows    = 50
)

// repository is the folder in $SEXTANT_CORPUS in which all commands run.
const repository = "spring-petclinic+spring-petclinic-microservices"

// pictures lists the pictures: the name of the file, and the folder and the
// arguments of the command.
var pictures = []struct {
	file, folder string
	args         []string
}{
	{"search", ".", []string{"search", "visits of a pet", "--limit", "4"}},
	{"outline", "spring-petclinic-customers-service/src/main/java/org/springframework/samples/petclinic/customers/web",
		[]string{"outline", "PetResource.java"}},
	{"graph", ".", []string{"graph", "VisitsServiceClient.getVisitsForPets", "--depth", "2"}},
	{"services", ".", []string{"services"}},
}

func main() {
	if err := run(os.Getenv("SEXTANT_CORPUS")); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(corpus string) error {
	dir := filepath.Join(corpus, repository)
	if _, err := os.Stat(dir); corpus == "" || err != nil {
		return fmt.Errorf("find %s: %w; SEXTANT_CORPUS names the folder of the clones", repository, err)
	}
	work, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, "sextant")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/sextant").CombinedOutput(); err != nil {
		return fmt.Errorf("build sextant: %w\n%s", err, out)
	}
	t := terminal{dir: dir, env: append(os.Environ(), "SEXTANT_HOME="+filepath.Join(work, "home"),
		"SEXTANT_MAX_SERVERS=0", "TERM=xterm-256color", "PATH="+work+string(os.PathListSeparator)+os.Getenv("PATH"))}
	if _, err := t.run(".", "sextant", "index"); err != nil {
		return err
	}
	folder := filepath.Join("docs", "pictures")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, p := range pictures {
		printed, err := t.run(p.folder, append([]string{"sextant"}, p.args...)...)
		if err != nil {
			return err
		}
		text := svg("$ sextant "+shellWords(p.args), parse(steady(printed)), columns)
		if err := os.WriteFile(filepath.Join(folder, p.file+".svg"), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// terminal runs commands in pseudo-terminals.
type terminal struct {
	dir string
	env []string
}

// run returns all that a command prints on a terminal, in a folder of the
// repository.
func (t terminal) run(folder string, args ...string) (string, error) {
	line := fmt.Sprintf("stty cols %d rows %d; exec %s", columns, rows, shellWords(args))
	cmd := exec.Command("script", "-qec", line, os.DevNull)
	cmd.Dir, cmd.Env = filepath.Join(t.dir, folder), t.env
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("run %s: %w\n%s", line, err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n"), err
}

// shellWords joins words to a command line, quoted for a shell.
func shellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; strings.ContainsAny(w, " '\"$*\\") {
			quoted[i] = `"` + strings.NewReplacer(`"`, `\"`, `$`, `\$`, `\`, `\\`).Replace(w) + `"`
		}
	}
	return strings.Join(quoted, " ")
}
