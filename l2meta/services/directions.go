package services

import "strings"

// Direction says whether a call, a function or a type publishes messages or consumes them.
type Direction int

// These constants are the directions of a message. Unclear means that a name has no word of
// messages. About means that a name has such a word without a direction: queue, topic.
const (
	Unclear Direction = iota
	Out
	In
	About
)

// directions maps the words in names of functions, objects, annotations and types that show a
// direction to that direction.
var directions = map[string]Direction{}

func init() {
	for way, words := range map[Direction]string{
		Out: `publish publishes published publisher publishing pub emit emits emitter produce produces producer
			dispatch dispatcher dispatches enqueue broadcast broadcaster send sends sender sending notify notifier fire
			raise push trigger outbox outgoing writer xadd lpush rpush`,
		In: `subscribe subscribes subscribed subscriber subscription sub consume consumes consumer consuming listen
			listens listener on handle handles handler receive receives receiver poll process processor worker incoming
			reader recv pull xread brpop blpop watch watcher`,
		About: `queue queues topic topics exchange event events message messages broker bus kafka rabbit rabbitmq amqp
			mq stream streams channel nats sqs sns pubsub mqtt redis subject messaging eventbus pulsar`,
	} {
		for _, w := range strings.Fields(words) {
			directions[w] = way
		}
	}
}

// DirectionOf returns the direction of the first word of a name that is Out or In: Out for
// sendToListener. If there is none, it returns About if some word concerns messages, else
// Unclear.
func DirectionOf(name string) (way Direction) {
	eachWord(name, func(word []byte) bool {
		if d := directions[string(word)]; d != Unclear {
			way = d
		}
		return way != Out && way != In
	})
	return way
}

// maxWord is the largest number of letters of a word that eachWord reads.
const maxWord = 32

// eachWord calls yield with each word of a name, in lower case, until it returns false: "on", "order", "paid" for
// onOrder_paid. It does not allocate memory, because the names of all calls of a workspace are read.
func eachWord(name string, yield func(word []byte) bool) {
	var buf [maxWord]byte
	n := 0
	for i := 0; i <= len(name); i++ {
		var c byte
		if i < len(name) {
			c = name[i]
		}
		upper, lower := 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z'
		if n > 0 && (upper && beginsWord(name, i) || !upper && !lower) {
			if !yield(buf[:n]) {
				return
			}
			n = 0
		}
		if (upper || lower) && n < maxWord {
			buf[n] = c | 0x20 // in lower case
			n++
		}
	}
}

// beginsWord reports whether the capital at index i begins a word: the C of orderCreated, and that of SQSClient.
func beginsWord(name string, i int) bool {
	before := name[i-1]
	return before < 'A' || before > 'Z' || i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z'
}
