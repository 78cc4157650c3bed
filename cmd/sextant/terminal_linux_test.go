package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/internal/typeset"
)

// pty opens a pseudo-terminal with the given number of columns.
func pty(t *testing.T, columns uint16) (ours, theirs *os.File) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must(err)
	t.Cleanup(func() { ours.Close() })
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	must(err)
	must(unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0))
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	must(err)
	must(unix.IoctlSetWinsize(int(theirs.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns}))
	return ours, theirs
}

// onTerminal runs the command in dir on a terminal with the given number of columns and returns the
// lines that it prints there. env has further variables, KEY=VALUE.
func onTerminal(t *testing.T, columns uint16, dir string, env []string, args ...string) []string {
	t.Helper()
	ours, theirs := pty(t, columns)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "sextant"
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, theirs, theirs, theirs
	cmd.Path = filepath.Join(t.TempDir(), "sextant") // TestMain acts as the command of that name
	if err := os.Symlink(self, cmd.Path); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), append([]string{"TERM=xterm", "SEXTANT_MAX_SERVERS=0"}, env...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	var printed bytes.Buffer
	_, _ = io.Copy(&printed, ours) // ends with EIO when the last writer is gone
	_ = cmd.Wait()                 // some commands fail on purpose
	return strings.Split(strings.TrimRight(strings.ReplaceAll(printed.String(), "\r\n", "\n"), "\n"), "\n")
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*[mK]")

// wideShop is a workspace with long paths, wide runes, long lines and a file name
// that would clear the screen.
var wideShop = map[string]string{
	"go.mod": "module shop\n",
	"services/billing/internal/settlement/adapters/postgres/settlement_repository.go": "package postgres\n\n" +
		"// Settle settles an invoice.\nfunc Settle(invoice string) string { return \"settled: \" + invoice + \" " +
		"with quite a long explanation of it\" }\n",
	"services/billing/internal/settlement/adapters/postgres/settlement_repository_test.go": "package postgres\n\nimport \"testing\"\n\n" +
		"func TestSettle(t *testing.T) { Settle(\"a\") }\n",
	"文档/数据库/结算服务处理程序.go": "package 数据库\n\n// 结算 处理所有的发票和付款，并且将结果写入数据库，然后通知所有的相关服务，最后返回一个错误。\nfunc 结算(发票 string) " +
		"string { return 发票 + \"，已经结算完毕，请查看所有的相关记录，谢谢您的使用和支持\" }\n",
	"long.js": "function pack() { return [" + strings.Repeat("\"filler\", ", 30) + "\"needle\"," +
		strings.Repeat("\"filler\", ", 30) + "]; }\n",
	"evil\x1b[2J.go": "package evil\n\n// Evil \x1b[31mis red.\nfunc Evil() {}\n",
	".git/HEAD":      "ref: refs/heads/main\n",
	"emoji/family.go": "package emoji\n\n// Family 👩‍👩‍👧 and flag 🇩🇪 and combining e\u0301.\n" +
		"func Family() string { return \"" + strings.Repeat("👩‍👩‍👧", 30) + "\" }\n",
}

func writeShop(t *testing.T) (dir, home string) {
	t.Helper()
	dir, home = t.TempDir(), t.TempDir()
	for name, text := range wideShop {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, home
}

// TestTerminalFits checks that every line fits the terminal, whatever it contains, that no text of
// the workspace reaches the terminal as a control sequence, and that paths are whole in a pipe.
func TestTerminalFits(t *testing.T) {
	dir, home := writeShop(t)
	env := []string{"SEXTANT_HOME=" + home}
	commands := [][]string{
		{"search", "settle an invoice"}, {"search", "must:needle"},
		{"search", "must:filler", "-C", "2"}, {"search", "结算"},
		{"search", "must:已经结算完毕"}, {"search", "Family"}, {"search", "Evil"}, {"search", "nothing has this"},
		{"outline", "文档/数据库/结算服务处理程序.go"},
		{"outline", "services/billing/internal/settlement/adapters/postgres/settlement_repository.go", "--docs"},
		{"graph", "Settle"}, {"graph", "Settle", "--format", "text"},
		{"graph", "TestSettle", "--format", "text", "--direction", "callees"},
		{"graph", "Settel"}, {"read", "Settel"}, {"services"}, {"list"}, {"status"}, {"servers"},
	}
	for _, columns := range []uint16{80, 120, 40} {
		for _, args := range commands {
			lines := onTerminal(t, columns, dir, env, args...)
			for _, l := range lines {
				if i := strings.LastIndexByte(l, '\r'); i >= 0 {
					l = l[i+1:] // a bar was drawn over
				}
				plain := colours.ReplaceAllString(l, "")
				if w := typeset.Width(plain); w > int(columns) {
					t.Errorf("%v: %d cells on a terminal of %d: %q", args, w, columns, plain)
				}
				if strings.ContainsRune(plain, '\x1b') {
					t.Errorf("%v: an escape reaches the terminal: %q", args, plain)
				}
			}
		}
	}
	for _, command := range newApp(streams{}).command().Commands() {
		for _, l := range onTerminal(t, 80, dir, env, command.Name(), "--help") {
			if w := typeset.Width(l); w > 80 && command.Name() != "help" {
				t.Errorf("%s --help: %d cells on a terminal of 80: %q", command.Name(), w, l)
			}
		}
	}
	screen := strings.Join(onTerminal(t, 80, dir, env, "search", "must:settled"), "\n")
	if plain := colours.ReplaceAllString(screen, ""); !strings.Contains(plain, "services/…/") || plain == screen {
		t.Errorf("no colour, or no path cut in its middle:\n%s", screen)
	}
	if plain := strings.Join(onTerminal(t, 80, dir, append(env, "NO_COLOR=1"), "search", "must:settled"),
		"\n"); colours.MatchString(plain) || !strings.Contains(plain, "…") {
		t.Errorf("NO_COLOR:\n%s", plain)
	}
	read := strings.Join(onTerminal(t, 80, dir, append(env, "NO_COLOR=1"), "read", "Settle"), "\n")
	if !strings.Contains(read, "settlement_repository.go:4 function Settle\n") {
		t.Errorf("a symbol is read without its place:\n%s", read)
	}
	needle := strings.Join(onTerminal(t, 80, dir, append(env, "NO_COLOR=1"), "search", "must:needle"), "\n")
	if !strings.Contains(needle, `"needle"`) {
		t.Errorf("the match is cut off:\n%s", needle)
	}
}

// TestPipeIsWhole checks that a pipe gets whole paths and lines, without colours.
func TestPipeIsWhole(t *testing.T) {
	dir, home := writeShop(t)
	for _, args := range [][]string{{"search", "must:settled"}, {"graph", "Settle"},
		{"graph", "Settle", "--format", "text"}} {
		var out, errs bytes.Buffer
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, args...)
		cmd.Path = filepath.Join(t.TempDir(), "sextant")
		if err := os.Symlink(self, cmd.Path); err != nil {
			t.Fatal(err)
		}
		cmd.Args[0], cmd.Dir, cmd.Stdout, cmd.Stderr = "sextant", dir, &out, &errs
		cmd.Env = append(os.Environ(), "SEXTANT_HOME="+home, "SEXTANT_MAX_SERVERS=0", "COLUMNS=40")
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, errs.String())
		}
		if text := out.String(); strings.Contains(text, "…/") || strings.Contains(text, "\x1b[") ||
			!strings.Contains(text, "services/billing/internal/settlement/adapters/postgres/settlement_repository") {
			t.Errorf("%v:\n%s", args, text)
		}
	}
}
