package services

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/source"
)

// The programs do not show that a topic of SNS delivers to a queue of SQS: a template of
// CloudFormation, Terraform or a script subscribes the queue to the topic. Each subscription is
// recorded like the binding of a queue: the topic is the scope, the queue the handler.

// snsSubscriptions returns the subscriptions of queues to topics that a file declares.
func snsSubscriptions(f *code.File) (out []code.Fact) {
	if !bytes.Contains(f.Text, []byte("sns")) && !bytes.Contains(f.Text, []byte("SNS")) {
		return nil
	}
	keep := func(topic, queue string, at int) {
		if topic = nameOfARN(topic); topic != "" && nameOfARN(queue) != "" {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleBind,
				Type: strings.Join([]string{"sns", "", "", topic, nameOfARN(queue)}, "\t"), Span: source.SpanOfLine(f.Text, at)})
		}
	}
	switch path.Ext(strings.ToLower(f.Path)) {
	case ".json", ".yaml", ".yml", ".template":
		readTemplate(f, keep)
	case ".tf":
		readTerraform(f, keep)
	case ".sh":
		for _, m := range subscribes.FindAllSubmatchIndex(f.Text, -1) {
			if p := subscribedBy.FindSubmatch(f.Text[m[0]:m[1]]); p != nil && !toQueue(string(p[1])) {
				continue
			}
			keep(string(f.Text[m[2]:m[3]]), string(f.Text[m[4]:m[5]]), m[0])
		}
	}
	return out
}

var (
	// subscribes matches the command that subscribes a queue: aws sns subscribe --topic-arn a --notification-endpoint b.
	subscribes = regexp.MustCompile(`sns\s+subscribe\s(?:[^\n]*\\\n)*?[^\n]*--topic-arn[ =]+["']?(\S+?)["']?\s` +
		`(?:[^\n]*\\\n)*?[^\n]*--notification-endpoint[ =]+["']?([^\s"']+)`)
	// subscribedBy matches the protocol in such a command.
	subscribedBy = regexp.MustCompile(`--protocol[ =]+["']?(\w+)`)
	// resourceRef matches a reference to another resource of a template or to an attribute of one.
	resourceRef = regexp.MustCompile(`^(?:!Ref|!GetAtt)\s+([\w]+)`)
	// terraformBlock matches the head of a resource of Terraform.
	terraformBlock = regexp.MustCompile(
		`(?m)^resource\s+"(aws_sns_topic_subscription|aws_sns_topic|aws_sqs_queue)"\s+"([\w-]+)"`)
	// terraformValue matches an attribute of a resource: a text, or a reference to a resource.
	terraformValue = regexp.MustCompile(
		`(?m)^\s*(name|topic_arn|endpoint|protocol)\s*=\s*(?:"([^"$]+)"|(aws_\w+\.[\w-]+))`)
	// terraformEnd matches the end of a resource.
	terraformEnd = regexp.MustCompile(`(?m)^}`)
)

// toQueue reports whether a subscription with a protocol delivers to a queue. Others deliver to an address, such as
// that of a page, whose last part may be the name of a queue by chance. "" means that the protocol is not known.
func toQueue(protocol string) bool { return protocol == "" || protocol == "sqs" }

// nameOfARN returns the last part of an ARN or URL, and any other name unchanged. It returns ""
// for a text with variables.
func nameOfARN(text string) string {
	if strings.ContainsAny(text, "${} ") {
		return ""
	}
	return text[strings.LastIndexAny(text, ":/")+1:]
}

// template holds the values of a template of CloudFormation by resource and path, and the defaults of its parameters.
type template struct {
	values   map[string]map[string]string
	defaults map[string]string
}

// readTemplate finds the subscriptions in a template of CloudFormation, SAM or the Serverless Framework.
func readTemplate(f *code.File, keep func(topic, queue string, at int)) {
	if !bytes.Contains(f.Text, []byte("AWS::SNS::")) {
		return
	}
	t := template{map[string]map[string]string{}, map[string]string{}}
	at := map[string]int{}
	for _, l := range leaves(f.Path, f.Text) {
		for i, key := range l.keys {
			if key == "Parameters" && len(l.keys) == i+3 && l.keys[i+2] == "Default" {
				t.defaults[l.keys[i+1]] = l.value
			}
			if key != "Resources" || len(l.keys) < i+3 {
				continue
			}
			name, rest := l.keys[i+1], strings.Join(l.keys[i+2:], ".")
			if t.values[name] == nil {
				t.values[name], at[name] = map[string]string{}, l.at
			}
			// if the value is a list, ["Queue", "Arn"], only its first item counts
			if _, known := t.values[name][rest]; !known {
				t.values[name][rest] = l.value
			}
			break
		}
	}
	for _, name := range sortedKeys(t.values) {
		switch v := t.values[name]; v["Type"] {
		case "AWS::SNS::Subscription":
			if toQueue(v["Properties.Protocol"]) {
				keep(t.meant(v, "Properties.TopicArn"), t.meant(v, "Properties.Endpoint"), at[name])
			}
		case "AWS::SNS::Topic":
			if toQueue(v["Properties.Subscription.Protocol"]) {
				keep(t.nameOf(name), t.meant(v, "Properties.Subscription.Endpoint"), at[name])
			}
		}
	}
}

func sortedKeys(m map[string]map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// meant returns the name of the topic or queue that a property of a resource refers to, "" if there is none.
func (t *template) meant(values map[string]string, property string) string {
	for _, form := range []string{"", ".Ref", ".Fn::GetAtt"} {
		value, ok := values[property+form]
		if !ok {
			continue
		}
		if m := resourceRef.FindStringSubmatch(value); m != nil {
			return t.nameOf(m[1])
		}
		if form == "" {
			return value
		}
		name, _, _ := strings.Cut(value, ".")
		return t.nameOf(name)
	}
	return ""
}

// nameOf returns the name of a topic or queue that a resource creates: the name in its properties
// or, if there is none, the name of the resource.
func (t *template) nameOf(resource string) string {
	v := t.values[resource]
	for _, property := range []string{"Properties.TopicName", "Properties.QueueName"} {
		value := v[property]
		if m := resourceRef.FindStringSubmatch(value); m != nil {
			value = t.defaults[m[1]]
		}
		if given := v[property+".Ref"]; given != "" {
			value = t.defaults[given]
		}
		if value != "" {
			return value
		}
	}
	return resource
}

// readTerraform finds the subscriptions in a file of Terraform.
func readTerraform(f *code.File, keep func(topic, queue string, at int)) {
	names, heads := map[string]string{}, terraformBlock.FindAllSubmatchIndex(f.Text, -1)
	block := func(i int) (kind, name string, values map[string]string) {
		body := f.Text[heads[i][1]:]
		if end := terraformEnd.FindIndex(body); end != nil {
			body = body[:end[0]]
		}
		values = map[string]string{}
		for _, m := range terraformValue.FindAllSubmatch(body, -1) {
			if values[string(m[1])] == "" {
				values[string(m[1])] = string(m[2]) + string(m[3])
			}
		}
		return string(f.Text[heads[i][2]:heads[i][3]]), string(f.Text[heads[i][4]:heads[i][5]]), values
	}
	for i := range heads {
		if kind, name, v := block(i); kind != "aws_sns_topic_subscription" && v["name"] != "" {
			names[kind+"."+name] = v["name"]
		}
	}
	for i := range heads {
		if kind, _, v := block(i); kind == "aws_sns_topic_subscription" && toQueue(v["protocol"]) {
			named := func(value string) string {
				if strings.HasPrefix(value, "aws_") { // the value is a reference to a resource
					return names[value]
				}
				return value
			}
			keep(named(v["topic_arn"]), named(v["endpoint"]), heads[i][0])
		}
	}
}
