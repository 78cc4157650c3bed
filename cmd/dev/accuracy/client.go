package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// client is an MCP client of `sextant serve`, which exchanges one message per
// line.
type client struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	next int
}

// maxMessage bounds an answer, in bytes: 25,000 tokens are some 100 KB.
const maxMessage = 8 << 20

// serve starts the program with its data in home, and initializes the
// connection.
func serve(ctx context.Context, binary, home string) (*client, error) {
	conn := &client{cmd: exec.CommandContext(ctx, binary, "serve", "--quiet")}
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
		"clientInfo": map[string]any{"name": "accuracy", "version": "1"}}
	if err := conn.request("initialize", hello, nil); err != nil {
		return nil, errors.Join(err, conn.close())
	}
	return conn, conn.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

func (c *client) close() error {
	err := c.in.Close()
	return errors.Join(err, c.cmd.Wait())
}

func (c *client) send(message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(text, '\n'))
	return err
}

// request sends a request and waits for its response, skipping notifications.
func (c *client) request(method string, params, result any) error {
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

// call calls a tool and decodes its answer.
func (c *client) call(tool string, args map[string]any, answer any) error {
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := c.request("tools/call", map[string]any{"name": tool, "arguments": args}, &r); err != nil {
		return err
	}
	if len(r.Content) != 1 || r.IsError {
		return fmt.Errorf("%s: %v", tool, r.Content)
	}
	return json.Unmarshal([]byte(r.Content[0].Text), answer)
}
