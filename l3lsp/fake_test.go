package l3lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is also a language server, which behaves as its second
// argument says: started by the pool as "test.bin fake MODE".
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		fakeServer(os.Args[2])
		syscall.Exit(0) // unlike os.Exit it does not sleep a second under -race
	}
	os.Exit(m.Run())
}

// fakeServer answers every definition with line 1 of the file that was asked
// about, and misbehaves as mode says.
func fakeServer(mode string) {
	switch mode {
	case "exits-at-once":
		syscall.Exit(3)
	case "garbage":
		fmt.Print("what is this\n\n\x00\xff{}{}")
		time.Sleep(time.Hour)
	case "half":
		fmt.Print("Content-Length: 100\r\n\r\n{\"jsonrpc\"")
		time.Sleep(time.Hour)
	case "huge":
		fmt.Printf("Content-Length: %d\r\n\r\n", 100<<20)
		filler := bytes.Repeat([]byte{'x'}, 1<<20)
		for {
			if _, err := os.Stdout.Write(filler); err != nil {
				syscall.Exit(1)
			}
		}
	case "stderr-flood":
		go func() {
			for {
				os.Stderr.Write(bytes.Repeat([]byte("noise "), 4096))
			}
		}()
	case "deaf": // ignores shutdown, end of input and SIGTERM
		signal.Ignore(syscall.SIGTERM)
	case "leaks":
		held := bytes.Repeat([]byte{1}, 300<<20)
		defer func() { _ = held[len(held)-1] }()
	}
	in := bufio.NewReader(os.Stdin)
	for {
		msg, err := fakeRead(in)
		if err != nil {
			if mode == "deaf" {
				time.Sleep(time.Hour)
			}
			return
		}
		fakeAnswer(mode, msg)
	}
}

type fakeMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		TextDocument struct{ URI string }
	} `json:"params"`
}

func fakeRead(in *bufio.Reader) (m fakeMessage, err error) {
	length := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return m, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			length, _ = strconv.Atoi(v)
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

func fakeProgress(kind, title string) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":%q,"title":%q}}}`, kind, title)
	fmt.Printf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func fakeReply(id json.RawMessage, result string) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	fmt.Printf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func fakeAnswer(mode string, m fakeMessage) {
	switch m.Method {
	case "initialize":
		if mode == "never-initializes" {
			return
		}
		fakeReply(m.ID, `{"capabilities":{},"serverInfo":{"name":"fake","version":"1.0"}}`)
	case "initialized":
		fakeProgress("begin", "Setting up workspace")
		fakeProgress("end", "")
	case "shutdown":
		if mode != "deaf" {
			fakeReply(m.ID, "null")
		}
	case "exit":
		if mode != "deaf" {
			syscall.Exit(0)
		}
	case "textDocument/definition":
		switch mode {
		case "silent":
			return
		case "dies-in-flight":
			syscall.Exit(9)
		case "empty":
			fakeReply(m.ID, "null")
			return
		case "slow":
			time.Sleep(300 * time.Millisecond)
		}
		fakeReply(m.ID, fmt.Sprintf(`[{"uri":%q,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}]`, m.Params.TextDocument.URI))
	}
}
