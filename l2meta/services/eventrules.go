package services

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
	"sextant/l2meta"
	"sextant/l2meta/services/source"
)

// A rule of EventBridge is no part of the programs. A template of CloudFormation or SAM, the Serverless Framework or
// Terraform declares it, with the function or the queue that it delivers to.

// eventRules returns the rules that a manifest declares: a consumer for each function, a binding for each queue.
func eventRules(f *code.File) []code.Fact {
	if !bytes.Contains(f.Text, []byte("detail-type")) && !bytes.Contains(f.Text, []byte("source")) &&
		!bytes.Contains(f.Text, []byte("account:")) {
		return nil
	}
	rr := &ruleReader{f: f}
	switch ext := path.Ext(strings.ToLower(f.Path)); {
	case ext == ".tf" && bytes.Contains(f.Text, []byte("aws_cloudwatch_event_rule")):
		rr.terraform()
	case ext != ".yml" && ext != ".yaml" && ext != ".json" && ext != ".template":
	case bytes.Contains(f.Text, []byte("AWS::Serverless::Function")),
		bytes.Contains(f.Text, []byte("AWS::Events::Rule")), bytes.Contains(f.Text, []byte("eventBridge")):
		if ext == ".template" {
			ext = ".yaml"
		}
		if root := documentIn(ext, string(f.Text)); root != nil {
			rr.lines = code.NewLineIndex(f.Text)
			rr.resources(root)
			rr.serverless(root)
		}
	}
	return rr.out
}

// ruleReader collects the rules of a manifest.
type ruleReader struct {
	f     *code.File
	lines *code.LineIndex
	out   []code.Fact
}

// keep records that a rule delivers events to a function, or to a queue if queue is not "".
func (rr *ruleReader) keep(p pattern, at int, handler, queue string) {
	for _, e := range p.ends() {
		role := l2meta.RoleConsume
		if e.Handler = handler; queue != "" {
			role, e.Handler = l2meta.RoleBind, queue
		}
		if e.Handler == "" {
			continue
		}
		text := strings.Join([]string{e.Broker, e.Key, e.Payload, e.Scope, e.Handler}, "\t")
		rr.out = append(rr.out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: role, Type: text,
			Span: source.SpanOfLine(rr.f.Text, at)})
	}
}

func (rr *ruleReader) offset(n *configtree.Node) int {
	start, _ := rr.lines.Lines(n.Line, n.Line)
	return start
}

// patternOf returns the pattern of a rule: source and detail-type, each a list of texts or of {prefix: x}.
func patternOf(n *configtree.Node) pattern {
	texts := func(key string) (out []string) {
		for _, item := range n.At(key).Kids {
			if prefix := item.Text("prefix"); prefix != "" {
				out = append(out, prefix+AnyEvent)
			} else if item.Value != "" {
				out = append(out, item.Value)
			}
		}
		return out
	}
	p := pattern{texts("source"), texts("detail-type")}
	if len(p.sources) == 0 && len(p.types) == 0 && n.At("account").Line > 0 && n.At("detail").Line == 0 {
		p.types = []string{AnyEvent} // all events of a bus, for a log or an archive
	}
	return p
}

// deployed returns the handler of a function whose code is in a folder, "" if the manifest does not name it.
func deployed(folder, handler string) string {
	if handler == "" || strings.ContainsAny(folder+handler, "$|\t\n") {
		return ""
	}
	return Deployed + folder + "|" + handler
}

// resources reads the rules of a template of CloudFormation or SAM.
func (rr *ruleReader) resources(root *configtree.Node) {
	all := root.At("Resources")
	global := root.At("Globals", "Function")
	function := func(n *configtree.Node) string {
		p := n.At("Properties")
		folder, handler := p.Text("CodeUri"), p.Text("Handler")
		if folder == "" {
			folder = global.Text("CodeUri")
		}
		if handler == "" {
			handler = global.Text("Handler")
		}
		return deployed(folder, handler)
	}
	for _, n := range all.Kids {
		switch n.Text("Type") {
		case "AWS::Serverless::Function":
			for _, event := range n.At("Properties", "Events").Kids {
				if kind := event.Text("Type"); kind == "EventBridgeRule" || kind == "CloudWatchEvent" {
					rr.keep(patternOf(event.At("Properties", "Pattern")), rr.offset(event), function(n), "")
				}
			}
		case "AWS::Events::Rule":
			for _, target := range n.At("Properties", "Targets").Kids {
				name := resourceOf(target.At("Arn"))
				to := all.At(name)
				handler, queue := "", ""
				switch kind := to.Text("Type"); {
				case strings.HasSuffix(kind, "::Function"):
					handler = function(to)
				case kind == "AWS::SQS::Queue":
					if queue = to.Text("Properties", "QueueName"); queue == "" {
						queue = name
					}
				}
				rr.keep(patternOf(n.At("Properties", "EventPattern")), rr.offset(n), handler, queue)
			}
		}
	}
}

// resourceOf returns the name of the resource that a value refers to: Mail for !GetAtt Mail.Arn and {"Fn::GetAtt":
// ["Mail", "Arn"]}.
func resourceOf(n *configtree.Node) string {
	value := n.Value
	if get := n.At("Fn::GetAtt"); get.Value != "" {
		value = get.Value
	} else if len(get.Kids) > 0 {
		value = get.Kids[0].Value
	} else if len(n.Kids) > 0 && n.List {
		value = n.Kids[0].Value
	}
	value = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(value, "!GetAtt"), "!Ref"))
	name, _, _ := strings.Cut(value, ".")
	return name
}

// serverless reads the functions of the Serverless Framework.
func (rr *ruleReader) serverless(root *configtree.Node) {
	for _, n := range root.At("functions").Kids {
		for _, event := range n.At("events").Kids {
			if rule := event.At("eventBridge"); rule.Line > 0 {
				rr.keep(patternOf(rule.At("pattern")), rr.offset(rule), deployed("", n.Text("handler")), "")
			}
		}
	}
}

var (
	// resourceHead matches the head of a block of Terraform that may belong to a rule.
	resourceHead = regexp.MustCompile(`(?m)^(?:resource|data)\s+"(aws_cloudwatch_event_rule|aws_cloudwatch_event_target|` +
		`aws_lambda_function|aws_sqs_queue|archive_file)"\s+"([\w-]+)"`)
	// resourceField matches an attribute of such a block.
	resourceField = regexp.MustCompile(`(?m)^\s*(rule|arn|handler|filename|source_dir|source_file|name)\s*=\s*(.+?)\s*$`)
	// requiredOf matches the list of sources or types in a pattern.
	requiredOf = regexp.MustCompile(`"?\b(source|detail-type)"?\s*[=:]\s*\[([^\[\]]*)\]`)
	quotedText = regexp.MustCompile(`"([^"\n]*)"`)
)

// block is a resource of Terraform.
type block struct {
	fields map[string]string
	body   string
	at     int
}

// terraform reads the rules and targets of a file of Terraform.
func (rr *ruleReader) terraform() {
	blocks := map[string]*block{}
	heads := resourceHead.FindAllSubmatchIndex(rr.f.Text, -1)
	for _, m := range heads {
		body := rr.f.Text[m[1]:]
		if end := terraformEnd.FindIndex(body); end != nil {
			body = body[:end[0]]
		}
		b := &block{map[string]string{}, string(body), m[0]}
		for _, field := range resourceField.FindAllStringSubmatch(b.body, -1) {
			if b.fields[field[1]] == "" {
				b.fields[field[1]] = field[2]
			}
		}
		blocks[string(rr.f.Text[m[2]:m[3]])+"."+string(rr.f.Text[m[4]:m[5]])] = b
	}
	for _, m := range heads {
		name := string(rr.f.Text[m[2]:m[3]]) + "." + string(rr.f.Text[m[4]:m[5]])
		if target := blocks[name]; strings.HasPrefix(name, "aws_cloudwatch_event_target.") {
			rr.target(target, blocks)
		}
	}
}

// target records what a target of Terraform delivers.
func (rr *ruleReader) target(target *block, blocks map[string]*block) {
	referred := func(b *block, field string) *block {
		parts := strings.Split(strings.TrimPrefix(strings.Trim(b.fields[field], `"${}`), "data."), ".")
		if len(parts) < 2 {
			return nil
		}
		return blocks[parts[0]+"."+parts[1]]
	}
	rule, to := referred(target, "rule"), referred(target, "arn")
	if rule == nil || to == nil {
		return
	}
	var p pattern
	for _, m := range requiredOf.FindAllStringSubmatch(rule.body, -1) {
		for _, text := range quotedText.FindAllStringSubmatch(m[2], -1) {
			if m[1] == "source" {
				p.sources = append(p.sources, text[1])
			} else {
				p.types = append(p.types, text[1])
			}
		}
	}
	if strings.HasPrefix(target.fields["arn"], "aws_sqs_queue.") {
		rr.keep(p, target.at, "", strings.Trim(to.fields["name"], `"`))
		return
	}
	folder := ""
	if archive := referred(to, "filename"); archive != nil {
		folder = strings.Trim(archive.fields["source_dir"], `"`)
		if file := strings.Trim(archive.fields["source_file"], `"`); file != "" {
			folder = path.Dir(file)
		}
		folder = strings.TrimPrefix(folder, "${path.module}/")
	}
	rr.keep(p, rule.at, deployed(folder, strings.Trim(to.fields["handler"], `"`)), "")
}
