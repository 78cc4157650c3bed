package golang

import "sextant/l2meta/services"

var pulsars = []string{"pulsar-client-go"}

// pulsar describes Pulsar's client, whose producers and consumers are made with their topics:
// client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"}).
var pulsar = []services.Message{
	{Broker: "pulsar", Role: services.Publishes, Callees: []string{"Send", "SendAsync"}, Modules: pulsars, Least: 2,
		Key: []string{"^/0/Topic"}, Carried: true},
	{Broker: "pulsar", Role: services.Consumes, Callees: []string{"Subscribe"}, Modules: pulsars, Least: 1, Most: 1,
		Key: []string{"0/Topic", "0/Topics", "0/TopicsPattern"}},
	{Broker: "pulsar", Role: services.Consumes, Callees: []string{"CreateReader"}, Modules: pulsars,
		Key: []string{"0/Topic"}},
}
