package workspace

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// The tokens are composed here, so that no scanner reports this file as a leak.
func TestRedact(t *testing.T) {
	mixed := strings.Repeat("aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0xY", 2)
	pem := "-----BEGIN " + "RSA PRIVATE KEY-----"
	line := strings.Repeat("MIIEpAIBAAKCAQEA", 4)
	// secret is the text to mask, "" for none
	for _, c := range []struct{ name, path, text, secret string }{
		{"AWS", "a.go", `id := "AKIA%"`, "ABCDEFGH234567ZZ"},
		{"GitHub", "notes.md", "run with ghp_% please", mixed[:36]},
		{"npm", "ci.sh", "export NPM_TOKEN=npm_%", mixed[:36]},
		{"npm, any form", ".npmrc", "//registry/:_authToken=%\nregistry=https://r/", "abcdefgh-plain"},
		{"yarn", ".yarnrc.yml", "npmAuthToken: \"%\"", "abcdefgh-plain"},
		{"npm, variable", ".npmrc", "//registry/:_authToken=${NPM_TOKEN}", ""},
		{"npm, variable of a shell", "release.sh", "echo //r/:_authToken=$NPM_TOKEN_2 > ~/.npmrc\n", ""},
		{"Slack", "x.py", `token = "xoxb-%"`, "123456789012-abcdefghijkl"},
		{"Azure", "x.cs", `"AccountName=n;AccountKey=%;Suffix=s"`, strings.Repeat("a", 86) + "=="},
		{"within a word", "x.json", `"integrity": "sha512-xAKIAABCDEFGH234567ZZ"`, ""},
		{"setting", "application.yml", "jwt:\n  secret: %\n", mixed[:40]},
		{"property", "a.properties", "spring.datasource.password=%", mixed[:20]},
		{"hexadecimal", "a.json", `{"clientSecret": "%"}`, strings.Repeat("0123456789abcdef", 2)},
		{"setting behind a Turkish letter", "a.yaml", "city: İstanbul\nclient_secret: %\n", mixed[:40]},
		{"setting in Latin-1", "a.properties", "city=Orl\xe9ans\ndb.password=%", mixed[:20]},
		{"XML", "web.config", `<add key="ApiKey" value="%" />`, mixed[:20]},
		{"URL", "compose.yaml", "DATABASE_URL: postgres://app:%@db:5432/app", mixed[:20]},
		{"URL of a demo", "compose.yaml", "DATABASE_URL: postgres://postgres:postgres@db:5432/app", ""},
		{"reference", "values.yaml", "password: {{ .Values.db.password }}\nsecretName: orders-db-credentials\n" +
			"tokenUrl: https://auth.example.com/Token2Path", ""},
		{"no secret's key", "a.yaml", "image: " + mixed[:40], ""},
		{"no settings", "a.go", "secret: " + mixed[:40], ""},
		{"script", "deploy.sh", "export DB_PASSWORD=\"%\"\n", mixed[:16]},
		{"script without quotes", "deploy.bash", "API_TOKEN=% ./run\n", mixed[:20]},
		{"script by its first line", "bin/deploy", "#!/usr/bin/env bash\nAWS_SECRET_ACCESS_KEY=%\n", mixed[:40]},
		{"program by its first line", "bin/deploy", "#!/usr/bin/env python3\nAPI_TOKEN = '" + mixed[:40] + "'\n", ""},
		{"template of a script", "deploy.sh.tpl", "API_TOKEN='%'\n", mixed[:20]},
		{"option of a script", "ci.sh", "login --user ci --password %\n", mixed[:20]},
		{"option in quotes", "ci.sh", "login --password '%'\n", mixed[:20]},
		{"PowerShell", "ci.ps1", "$env:API_KEY = '%'\n", mixed[:20]},
		{"batch", "ci.bat", "set CLIENT_SECRET=%\n", mixed[:20]},
		{"Makefile", "Makefile", "TOKEN := %\n", mixed[:20]},
		{"header", "ci.sh", "curl -H \"Authorization: Bearer %\" $URL\n", mixed[:30]},
		{"header in settings", "a.yaml", "authorization: Basic %\n", mixed[:30]},
		{"variables of a script", "ci.sh", "TOKEN=$1\nPASSWORD=$(pass show Shop/Db1Password23Ab)\n" +
			"SECRET=$HOME/Keys12/AbcDef34Ghi\nKEYFILE=/Abc12/Def34/Ghi56Jkl\nlogin --password \"$DB_PASSWORD\"\n", ""},
		{"words of a script", "ci.sh", "echo 'Enter the password to continue with basic authentication'\n", ""},
		{"JWT", "a.py", `t = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ%"`, mixed[:30] + "." + mixed[:43]},
		{"JWT without a signature", "a.py", `t = "eyJhbGciOiJub25lIn0.eyJ` + mixed[:30] + `."`, ""},
		{"member called like a JWT", "a.js", "x.eyJabc.def(" + mixed[:30] + ")", ""},
		{"OpenRouter", "a.py", `"sk-or-v1-%"`, strings.Repeat("0123456789abcdef", 4)},
		{"backup of settings", "application.yml.bak", "jwt:\n  secret: %\n", mixed[:40]},
		{"template of settings", "values.yaml.tpl", "secret: %", mixed[:40]},
		{"sample of the environment", ".env.local.sample", "SECRET_KEY=%", mixed[:40]},
		{"source called by settings", "yaml.go.bak", "secret: " + mixed[:40], ""},
		{"XML element", "settings.xml", "<password>%</password>", mixed[:20]},
		{"XML entry", "a.xml", "<entry key='apiKey'>%</entry>", mixed[:20]},
		{"XML name and value", "hive-site.xml", "<name>db.ConnectionPassword</name>\n  <value>%</value>", mixed[:20]},
		{"plist", "a.plist", "<key>ClientSecret</key>\n\t<string>%</string>", mixed[:20]},
		{"name and value", "deploy.yaml", "- name: DB_PASSWORD\n  value: \"%\"", mixed[:20]},
		{"name and value in JSON", "a.json", `{"name": "DB_PASSWORD", "value": "%"}`, mixed[:20]},
		{"with a dollar sign", "a.yaml", `password: "%"`, mixed[:18] + "$" + mixed[20:40]},
		{"with a comma", "a.json", `{"password": "%"}`, mixed[:18] + ",{" + mixed[20:40]},
		{"with a dollar sign, in a URL", "a.yaml", "url: amqp://app:%@mq", mixed[:9] + "$" + mixed[20:40]},
		{"next line", "a.json", "{\"password\" :\n  \"%\"}", mixed[:20]},
		{"block of YAML", "a.yaml", "password: >-\n  %\n", mixed[:20]},
		{"tag of YAML", "a.yaml", "password: !!str %\n", mixed[:20]},
		{"assignment", "a.cfg", "secret_key := %\n", mixed[:20]},
		{"connection string", "a.json", `"db": "Server=db;Pwd=%;Encrypt=true"`, mixed[:20]},
		{"Docker", "Dockerfile", "ENV API_KEY=%", mixed[:20]},
		{"Terraform", "main.tf", `  password = "%"`, mixed[:20]},
		{"Terraform, computed", "main.tf", "  password = random_password.Main12Db[Abc9Def].result", ""},
		{"variable", "a.yaml", "password: $DbPassword1Of2Xyz9", ""},
		{"behind an escape sequence", "a.json", `"first\nghp_%"`, mixed[:36]},
		{"behind an escaped character", "a.txt", `\u003dghp_%`, mixed[:36]},
		{"key in base64", "tls.yaml", "tls.key: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt%", strings.Repeat(mixed, 50)},
		{"certificate in base64", "tls.yaml", "tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t" + mixed, ""},
		{"PEM", "a.yaml", "key: |\n  " + pem + "\n  %\n  -----END RSA PRIVATE KEY-----\nnext: 1", line},
		{"PEM in JSON", "sa.json", `"private_key": "` + pem + `\n%\n-----END RSA PRIVATE KEY-----\n"`, line},
		{"PEM in source", "a_test.go", "const k = \"" + pem + "\\n\" +\n\t\"%\\n\"", line},
		{"PEM cut off", "a.txt", pem + "\nProc-Type: 4,ENCRYPTED\n\n%\n", line},
		{"names of PEM", "pem.go", "if s == \"" + pem + "\" {\n\treturn parseTheVeryLongNameOfAFunction(s)\n}\n" +
			"// -----END RSA PRIVATE KEY-----", ""},
		{"public key", "a.txt", "-----BEGIN PUBLIC KEY-----\n" + line + "\n-----END PUBLIC KEY-----", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := []byte(strings.ReplaceAll(c.text, "%", c.secret))
			want := strings.ReplaceAll(c.text, "%", strings.Repeat("*", len(c.secret)))
			if redact(c.path, text); string(text) != want {
				t.Errorf("got  %s\nwant %s", text, want)
			}
		})
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("a.yaml", "password: x\n-----BEGIN PRIVATE KEY-----\nghp_")
	f.Fuzz(func(t *testing.T, path, s string) {
		text := []byte(s)
		redact(path, text)
		tokens, all := []byte(s), []byte(s) // all: masked without skipping bytes
		maskTokens(tokens)
		if maskRun(all, 0, len(all)); !bytes.Equal(tokens, all) {
			t.Fatalf("tokens of %q: %q, want %q", s, tokens, all)
		}
		if len(text) != len(s) {
			t.Fatalf("%d bytes became %d", len(s), len(text))
		}
		for i := range text {
			if text[i] != s[i] && (text[i] != '*' || s[i] <= ' ' || s[i] >= 0x7f) {
				t.Fatalf("byte %d: %q became %q", i, s[i], text[i])
			}
		}
	})
}

func TestReadMasks(t *testing.T) {
	dir := t.TempDir()
	token := "ghp_" + strings.Repeat("aB3", 12)
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("// "+token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := Open(dir, Policy{})
	if err != nil {
		t.Fatal(err)
	}
	text, key, err := tree.Read("a.go", 0)
	if err != nil || key.Size != int64(len(text)) || string(text) != "// ghp_"+strings.Repeat("*", 36)+"\n" {
		t.Errorf("%q, %+v, %v", text, key, err)
	}
	for _, known := range []bool{false, true} {
		for room := range 2 * len(token) { // too little, enough, and more than enough
			again, err := tree.ReadAgain("a.go", bytes.Repeat([]byte("x"), room), func(raw []byte) bool {
				return known && string(raw) == "// "+token+"\n"
			})
			if err != nil || len(again) != int(key.Size) || strings.Contains(string(again), token) != known {
				t.Errorf("known %v, room %d: %q, %v", known, room, again, err)
			}
		}
	}
}

func TestSecretNames(t *testing.T) {
	for _, p := range []string{
		".env", "a/.env.production", ".ENV", ".env/values", "terraform.tfstate", "terraform.tfstate.backup",
		"terraform.tfstate.1700000000.backup",
		"prod.tfvars", "prod.auto.tfvars.json", "credentials.toml", "auth.json", "kubeconfig", "kubeconfig.yaml",
		"dev.kubeconfig", ".kube/config",
		"config/secrets.yml", "secrets.yaml", ".secrets.toml", ".env.bak", ".env~", ".env.swp", "auth.json.orig",
		".auth.json.swp", "#auth.json#",
		"id_rsa.old", "server.key.bak", "wp-config.php", "wp-config.php.bak", "local.settings.json", ".bash_history",
		".zsh_history", ".m2/settings.xml",
	} {
		if !Secret(p) {
			t.Errorf("%s is not kept out", p)
		}
	}
	for _, p := range []string{
		".env.example", ".env.local.sample", "terraform.tfvars.example", "locales/en/auth.json",
		"auth.go", "kubeconfig.go",
		"kubeconfig_test.go",
		".npmrc", ".yarnrc.yml", "gradle.properties", "config", "settings.xml", "secrets.go",
		"secret.yaml", "history.ts",
		"main.go.bak", "tfvars.go", "key.go",
	} {
		if Secret(p) {
			t.Errorf("%s is kept out", p)
		}
	}
}

// No name that is known as harmless by its extension is that of a secret.
func TestHarmlessNames(t *testing.T) {
	names := slices.Collect(maps.Keys(secretNames))
	for _, in := range secretBelow {
		names = slices.AppendSeq(names, maps.Keys(in))
	}
	for _, ext := range slices.Sorted(maps.Keys(sourceExtensions)) {
		for _, stem := range append(keyNames[:], "main", "kubeconfig", "client_secret_1", ".env", ".env.x",
			"x.tfstate", "x.tfvars",
			"#x", "x.pem", "wp-config") {
			names = append(names, stem+"."+ext)
		}
	}
	seen := 0
	for _, name := range names {
		for _, end := range append(backups[:], "", "#", ".go", ".json") {
			for _, dir := range slices.AppendSeq([]string{"src"}, maps.Keys(secretBelow)) {
				if harmless(name + end) {
					seen++
					if secretOrBackup(name+end, dir) {
						t.Errorf("%s in %s is a secret", name+end, dir)
					}
				}
			}
		}
	}
	if seen == 0 || !harmless("main.go") {
		t.Error("no name is harmless")
	}
}

func BenchmarkRedact(b *testing.B) {
	text, err := os.ReadFile("rules.go")
	if err != nil {
		b.Fatal(err)
	}
	text = bytes.Repeat(text, 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact("a.go", text)
	}
}

// shortest appends the shortest text that re matches.
func shortest(out []byte, re *syntax.Regexp) []byte {
	switch re.Op {
	case syntax.OpLiteral:
		return append(out, string(re.Rune)...)
	case syntax.OpCharClass:
		return append(out, byte(re.Rune[0]))
	case syntax.OpRepeat:
		for range re.Min {
			out = shortest(out, re.Sub[0])
		}
	case syntax.OpPlus:
		return shortest(out, re.Sub[0])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			out = shortest(out, sub)
		}
	}
	return out
}

// TestMaskTokensAnywhere compares maskTokens, which skips most bytes, with
// maskRun over the whole text, for the shortest token of each form.
func TestMaskTokensAnywhere(t *testing.T) {
	for _, f := range tokenForms {
		re, err := syntax.Parse(f.rest.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		token := f.start + string(shortest(nil, re))
		for before := range 2 * shortestToken {
			for _, space := range []string{" ", "a ", "/a-b+c=d \"", "\xff"} {
				s := strings.Repeat(space, before) + token + "\n" + token
				text, want := []byte(s), []byte(s)
				maskTokens(text)
				maskRun(want, 0, len(want))
				if !bytes.Equal(text, want) || string(want) == s {
					t.Fatalf("maskTokens(%q) = %q, want %q", s, text, want)
				}
			}
		}
	}
}
