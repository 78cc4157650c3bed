package l3lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

const (
	// maxMessage bounds one message of a server. The largest honest answers,
	// references of a popular symbol, take a few MB.
	maxMessage = 64 << 20
	// maxHeader bounds the header lines of one message.
	maxHeader = 4 << 10
	// writeQueue is how many messages may wait for a server that does not read.
	writeQueue = 256
)

var (
	errMessageTooLarge = errors.New("the server sent a message beyond the limit")
	errGarbage         = errors.New("the server wrote what is no message")
	errNotReading      = errors.New("the server does not read its input")
)

// stream is the base protocol over a server's standard streams. It differs
// from the library's in that a message has a limit, and that writing never
// blocks longer than its context: a stopped server fills its pipe.
type stream struct {
	in     *bufio.Reader
	closer io.Closer
	out    chan []byte
	done   chan struct{}
	once   sync.Once
}

var _ jsonrpc2.Stream = (*stream)(nil)

// newStream reads messages from r and writes them to w; Close closes c, which
// ends both.
func newStream(r io.Reader, w io.Writer, c io.Closer) *stream {
	s := &stream{in: bufio.NewReaderSize(r, 64<<10), closer: c, out: make(chan []byte, writeQueue), done: make(chan struct{})}
	go s.write(w)
	return s
}

func (s *stream) write(w io.Writer) {
	for {
		select {
		case b := <-s.out:
			if _, err := w.Write(b); err != nil {
				s.Close()
				return
			}
		case <-s.done:
			return
		}
	}
}

// Read gives the next message.
func (s *stream) Read(context.Context) (jsonrpc2.Message, int64, error) {
	length, err := s.header()
	if err != nil {
		return nil, 0, err
	}
	if length > maxMessage {
		return nil, 0, fmt.Errorf("%w: %d bytes", errMessageTooLarge, length)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(s.in, data); err != nil {
		return nil, 0, err
	}
	msg, err := jsonrpc2.DecodeMessage(data)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errGarbage, err)
	}
	return msg, int64(length), nil
}

// header reads the header lines of a message and gives its length.
func (s *stream) header() (length int, err error) {
	length = -1
	for total := 0; ; {
		line, err := s.in.ReadSlice('\n')
		if total += len(line); errors.Is(err, bufio.ErrBufferFull) || total > maxHeader {
			return 0, fmt.Errorf("%w: no header", errGarbage)
		}
		if err != nil {
			return 0, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			if length < 0 {
				return 0, fmt.Errorf("%w: a header without Content-Length", errGarbage)
			}
			return length, nil
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return 0, fmt.Errorf("%w: %.80q", errGarbage, text)
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return 0, fmt.Errorf("%w: %.80q", errGarbage, text)
			}
		}
	}
}

// Write queues a message. It waits for room as long as ctx lasts.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	data, err := json.Marshal(msg)
	if err != nil {
		return 0, fmt.Errorf("encode message: %w", err)
	}
	framed := append([]byte("Content-Length: "+strconv.Itoa(len(data))+"\r\n\r\n"), data...)
	select {
	case s.out <- framed:
		return int64(len(framed)), nil
	case <-s.done:
		return 0, io.ErrClosedPipe
	case <-ctx.Done():
		return 0, fmt.Errorf("%w: %w", errNotReading, ctx.Err())
	}
}

// Close ends the stream and what it runs over.
func (s *stream) Close() error {
	var err error
	s.once.Do(func() {
		close(s.done)
		err = s.closer.Close()
	})
	return err
}
