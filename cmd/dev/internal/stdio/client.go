// Package stdio is an MCP client of `sextant serve`, for programs that measure
// its answers as an agent gets them.
package stdio

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
)

// Client is a connection to a server process, with which it exchanges one
// message per line. It is not safe for concurrent use.
type Client struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	next int
}

// maxMessage is the largest length in bytes of an answer: one of 25,000 tokens has some 100 KB.
const maxMessage = 8 << 20

// Serve starts the program in dir, the working directory if "", with its data
// in home, and initializes the connection.
func Serve(ctx context.Context, binary, home, dir string) (*Client, error) {
	conn := &Client{cmd: exec.CommandContext(ctx, binary, "serve", "--quiet")}
	conn.cmd.Dir = dir
	conn.cmd.Env = append(os.Environ(), "SEXTANT_HOME="+home)
	conn.cmd.Stderr = os.Stderr
	var err error
	if conn.in, err = conn.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := conn.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	conn.out = bufio.NewScanner(out)
	conn.out.Buffer(nil, maxMessage)
	if err := conn.cmd.Start(); err != nil {
		return nil, err
	}
	hello := map[string]any{"protocolVersion": "2025-03-26", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "measure", "version": "1"}}
	if err := conn.Request("initialize", hello, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, conn.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// PID returns the id of the server's process.
func (c *Client) PID() int { return c.cmd.Process.Pid }

// Close ends the server and waits for it.
func (c *Client) Close() error {
	err := c.in.Close()
	return errors.Join(err, c.cmd.Wait())
}

func (c *Client) send(message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(text, '\n'))
	return err
}

// Request sends a request and waits for its response. It skips notifications meanwhile. It decodes
// the result of the response into result, unless that is nil.
func (c *Client) Request(method string, params, result any) error {
	c.next++
	id := c.next
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return err
	}
	for c.out.Scan() {
		var m struct {
			ID     *int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(c.out.Bytes(), &m); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case m.ID == nil || *m.ID != id:
			continue
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
	return errors.Join(fmt.Errorf("%s: the server ended", method), c.out.Err())
}

// Text calls a tool and returns the text of its answer. isError reports that the tool answered with
// an error.
func (c *Client) Text(tool string, args map[string]any) (text string, isError bool, err error) {
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := c.Request("tools/call", map[string]any{"name": tool, "arguments": args}, &r); err != nil {
		return "", false, err
	}
	if len(r.Content) != 1 {
		return "", false, fmt.Errorf("%s: %v", tool, r.Content)
	}
	return r.Content[0].Text, r.IsError, nil
}

// Call calls a tool with the argument format=json and decodes its answer. It returns an error if
// the tool answers with one.
func (c *Client) Call(tool string, args map[string]any, answer any) error {
	args = maps.Clone(args)
	args["format"] = "json"
	text, isError, err := c.Text(tool, args)
	if err != nil {
		return err
	}
	if isError {
		return fmt.Errorf("%s: %s", tool, text)
	}
	return json.Unmarshal([]byte(text), answer)
}
