package l3lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
)

const (
	// maxMessage is the largest length in bytes of one message of a server. The largest
	// legitimate answers, references of a popular symbol, take a few MB.
	maxMessage = 64 << 20
	// maxHeader is the largest length in bytes of the header lines of one message.
	maxHeader = 4 << 10
	// writeQueue is the number of messages that may wait for a server that does not read its input.
	// All batches together send far fewer at once.
	writeQueue = 4096
)

var (
	errMessageTooLarge = errors.New("it sent a message beyond the limit")
	errGarbage         = errors.New("it wrote what is no message")
	errNotReading      = errors.New("it does not read its input")
)

// stream implements the base protocol of LSP over a server's standard streams.
// It protects Sextant from misbehaving servers in ways that the library's
// stream does not: a message has a size limit, writing never blocks (a stopped
// server does not empty its pipe), and a response is dropped if no request
// waits for it.
type stream struct {
	in     *bufio.Reader
	closer io.Closer
	out    chan []byte
	done   chan struct{} // closed by Close
	once   sync.Once
	heard  atomic.Int64 // time of the last message, in Unix nanoseconds
	failed atomic.Value // the error that ended reading

	mu    sync.Mutex
	asked map[jsonrpc2.ID]bool // requests without a response; guarded by mu
}

var _ jsonrpc2.Stream = (*stream)(nil)

// newStream returns a stream that reads messages from rw and writes messages to rw. It ends when
// reading or writing fails, or when Close closes rw.
func newStream(rw io.ReadWriteCloser) *stream {
	s := &stream{in: bufio.NewReaderSize(rw, 64<<10), closer: rw, out: make(chan []byte, writeQueue),
		done: make(chan struct{}), asked: map[jsonrpc2.ID]bool{}}
	s.heard.Store(time.Now().UnixNano())
	go s.write(rw)
	return s
}

// write sends queued messages until the stream ends. A Write of w that blocks fails when Close
// closes the file.
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

// Read returns the next message.
func (s *stream) Read(context.Context) (jsonrpc2.Message, int64, error) {
	for {
		msg, n, err := s.next()
		if err != nil {
			s.failed.CompareAndSwap(nil, err)
			return nil, 0, err
		}
		s.heard.Store(time.Now().UnixNano())
		if answer, ok := msg.(*jsonrpc2.Response); !ok || s.expected(answer.ID()) {
			return msg, n, nil
		}
	}
}

// next reads one message. It returns errGarbage or errMessageTooLarge if the
// server sent bytes that are no message, or a message beyond maxMessage.
func (s *stream) next() (jsonrpc2.Message, int64, error) {
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

// expected reports whether id belongs to a request that has no response yet,
// and marks it as answered.
func (s *stream) expected(id jsonrpc2.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := s.asked[id]
	delete(s.asked, id)
	return ok
}

// header reads the header lines of a message and returns the length of its
// content.
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

// Write queues a message, or fails immediately if the queue is full.
func (s *stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	data, err := json.Marshal(msg)
	if err != nil {
		return 0, fmt.Errorf("encode message: %w", err)
	}
	if call, ok := msg.(*jsonrpc2.Call); ok {
		s.mu.Lock()
		s.asked[call.ID()] = true
		s.mu.Unlock()
	}
	data = escaped(data)
	framed := append([]byte("Content-Length: "+strconv.Itoa(len(data))+"\r\n\r\n"), data...)
	select {
	case <-s.done:
		return 0, io.ErrClosedPipe
	case s.out <- framed:
		return int64(len(framed)), nil
	default:
		return 0, errNotReading
	}
}

// escaped returns JSON in ASCII. A server that counts bytes as characters, as
// java-language-server does, would misplace every position after a character
// outside ASCII.
func escaped(data []byte) []byte {
	if !slices.ContainsFunc(data, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/4)
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r < utf8.RuneSelf:
			out = append(out, data[i])
		case r < 1<<16:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
		i += size
	}
	return out
}

// Close ends the stream and closes the server's standard streams.
func (s *stream) Close() error {
	var err error
	s.once.Do(func() {
		close(s.done)
		err = s.closer.Close()
	})
	return err
}

// fault returns the error that ended reading if invalid output of the server caused it, and nil
// otherwise.
func (s *stream) fault() error {
	err, _ := s.failed.Load().(error)
	if errors.Is(err, errGarbage) || errors.Is(err, errMessageTooLarge) {
		return err
	}
	return nil
}

// lastHeard returns the time of the last message from the server.
func (s *stream) lastHeard() time.Time { return time.Unix(0, s.heard.Load()) }
