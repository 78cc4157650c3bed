package workspace

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
)

// redact replaces credentials in text by as many asterisks, in place, so that all offsets and
// lines stay valid. It masks
//
//   - in every file, tokens with a prefix that only one service uses;
//   - in every file, the bodies of private keys;
//   - in configuration files and scripts of shells, the values of settings such as
//     clientSecret, of options such as --password and of headers such as Authorization,
//     if they look like generated values, and all values of the token settings of
//     package registries (_authToken in .npmrc).
//
// Names, placeholders and references (${TOKEN}, {{ .Values.token }}) remain. p is the path of the
// text, relative to the root.
//
// A text in the index is not masked again (see Tree.ReadAgain). So if redact masks other texts
// than before, l2meta.ExtractorVersion must be raised; a test there checks this.
func redact(p string, text []byte) {
	maskTokens(text)
	maskPrivateKeys(text)
	switch name := code.Base(p); {
	case settings(name):
		maskSettings(text, assigned)
	case script(name, text):
		maskSettings(text, assignedInScript)
	}
}

// mask overwrites the bytes of secret, except control and non-ASCII characters.
func mask(secret []byte) {
	for i, c := range secret {
		if c > ' ' && c < 0x7f { // keeps line breaks, and keeps the text valid UTF-8
			secret[i] = '*'
		}
	}
}

// tokenForm is the form of the tokens of one service.
type tokenForm struct {
	start string         // literal start of each token, which remains visible
	rest  *regexp.Regexp // matches the rest of a token after start
}

// maxToken bounds the length of a token in bytes. The longest tokens are private keys in base64.
const maxToken = 16 << 10

// startPairs maps the first two bytes of a text, as a 16-bit number, to a value that tells
// whether a token may begin there: 0 means no. For any other value v, formsOf[v-1] lists the
// indexes of the tokenForms that begin with these bytes.
var startPairs, formsOf = func() (pairs [1 << 16]uint8, forms [][]int) {
	for i, f := range tokenForms {
		pair := &pairs[uint16(f.start[0])<<8|uint16(f.start[1])]
		if *pair == 0 {
			forms = append(forms, nil)
			*pair = uint8(len(forms))
		}
		forms[*pair-1] = append(forms[*pair-1], i)
	}
	return pairs, forms
}()

// shortestToken is the length in bytes of the shortest text that a tokenForm
// matches: AKIA and 16 characters.
const shortestToken = 20

// tokenBytes marks the characters of which tokens consist.
var tokenBytes = func() (in [256]bool) {
	for c := range 256 {
		in[c] = wordByte(byte(c)) || c == '-' || c == '.' || c == '/' || c == '+' || c == '='
	}
	return in
}()

// maskTokens masks all tokens with a known form. It searches for runs of at least shortestToken
// tokenBytes, in the manner of Boyer and Moore: it reads a possible run from its end backwards, so
// that it skips two thirds of the bytes of source code.
func maskTokens(text []byte) {
	for from := 0; from+shortestToken <= len(text); {
		at := from + shortestToken - 1
		for at >= from && tokenBytes[text[at]] {
			at--
		}
		if at >= from {
			from = at + 1
			continue
		}
		end := from + shortestToken
		for end < len(text) && tokenBytes[text[end]] {
			end++
		}
		maskRun(text, from, end)
		from = end
	}
}

// maskRun masks the tokens that begin in text[first:end], which is a run of tokenBytes.
func maskRun(text []byte, first, end int) {
	for i := first + 1; i < end; i++ {
		pair := startPairs[uint16(text[i-1])<<8|uint16(text[i])]
		if pair == 0 {
			continue
		}
		for _, k := range formsOf[pair-1] {
			rest, ok := bytes.CutPrefix(text[i-1:], []byte(tokenForms[k].start))
			// A start within a word is text such as base64. A dot begins no word.
			if !ok || wordByte(text[i-1]) && insideWord(text, i-1) {
				continue
			}
			if end := tokenForms[k].rest.FindIndex(rest[:min(maxToken, len(rest))]); end != nil {
				mask(rest[:end[1]])
			}
		}
	}
}

// insideWord reports whether the character at offset at continues a word that begins before it.
// The letter of an escape sequence does not count as part of the word: \n, \u003d, %3D.
func insideWord(text []byte, at int) bool {
	if at == 0 || !wordByte(text[at-1]) {
		return false
	}
	return !escape.Match(text[max(0, at-len(`\u003d`)):at])
}

var escape = regexp.MustCompile(`(?:\\[abefnrtv0]|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$`)

// wordByte reports whether c can be part of an ASCII identifier.
func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// form returns a tokenForm. rest is a regular expression for the text after start.
func form(start, rest string) tokenForm {
	return tokenForm{start, regexp.MustCompile("^(?:" + rest + `)`)}
}

// tokenForms lists the forms of access tokens, as documented by the services that issue them.
var tokenForms = [...]tokenForm{
	form("AKIA", `[A-Z2-7]{16}\b`), form("ASIA", `[A-Z2-7]{16}\b`), // AWS
	form("ghp_", `\w{36}`), form("gho_", `\w{36}`), form("ghu_", `\w{36}`), form("ghs_", `\w{36}`),
	form("ghr_", `\w{36}`), form("github_pat_", `\w{60,255}`),
	// GitLab
	form("glpat-", `[\w-]{20,}`), form("gldt-", `[\w-]{20,}`), form("glrt-", `[\w-]{20,}`),
	form("glcbt-", `[\w-]{20,}`), form("glptt-", `[\w-]{20,}`), form("glft-", `[\w-]{20,}`),
	form("glsoat-", `[\w-]{20,}`), form("glimt-", `[\w-]{20,}`), form("glagent-", `[\w-]{50,}`),
	// Slack
	form("xoxb-", `\d[\w-]{20,}`), form("xoxp-", `\d[\w-]{20,}`), form("xoxa-", `\d[\w-]{20,}`),
	form("xoxs-", `\d[\w-]{20,}`), form("xapp-", `\d-[\w-]{20,}`), form("xoxc-", `\d[\w-]{20,}`),
	form("xoxd-", `[\w+/=-]{20}[\w%+/=-]*`), form("xoxe-", `\d-[\w-]{20,}`), form("xoxr-", `\d[\w-]{20,}`),
	form("hooks.slack.com/services/", `T\w{6,}/B\w{6,}/\w{16,}`),
	form("discord.com/api/webhooks/", `\d{17,20}/[\w-]{60,}`),
	form("discordapp.com/api/webhooks/", `\d{17,20}/[\w-]{60,}`),
	form("sk_test_", `[A-Za-z0-9]{16,}`), form("rk_test_", `[A-Za-z0-9]{16,}`),
	form("sk_live_", `\w{16,}`), form("rk_live_", `\w{16,}`), form("whsec_", `[\w+/=]{24,}`), // Stripe
	form("AIza", `[\w-]{35}`), form("ya29.", `[\w-]{40,}`), form("GOCSPX-", `[\w-]{28}`), // Google
	form("npm_", `[A-Za-z0-9]{36}\b`), form("pypi-AgE", `[\w-]{50,}`), form("dckr_pat_", `[\w-]{20,}`),
	form("rubygems_", `[0-9a-f]{48}`),
	// SendGrid
	form("SG.", `[\w-]{16,24}\.[\w-]{32,64}`),
	// JSON Web Tokens: claims and signature, behind a header in base64. eyJ is `{"` there.
	form(".eyJ", `[\w-]{8,}\.[\w-]{20,}`),
	// providers of models
	form("sk-or-v1-", `[0-9a-f]{64}`),
	form("sk-ant-", `[\w-]{40,}`), form("sk-proj-", `[\w-]{40,}`), form("sk-svcacct-", `[\w-]{40,}`),
	form("sk-admin-", `[\w-]{40,}`), form("sk-", `[A-Za-z0-9]{48}\b`), form("hf_", `[A-Za-z]{34}\b`),
	form("gsk_", `[A-Za-z0-9]{52}\b`), form("xai-", `[A-Za-z0-9]{80}\b`), form("r8_", `[A-Za-z0-9]{37}\b`),
	form("pplx-", `[A-Za-z0-9]{48,}`), form("nvapi-", `[\w-]{60,}`),
	form("ATATT3", `[\w=-]{80,}`), form("ATCTT3", `[\w=-]{80,}`), // Atlassian
	form("sbp_", `[0-9a-f]{40}\b`), form("figd_", `[\w-]{40,}`),
	form("dop_v1_", `[0-9a-f]{64}`), form("doo_v1_", `[0-9a-f]{64}`), form("shpat_", `[0-9a-fA-F]{32}`),
	form("shpss_", `[0-9a-fA-F]{32}`), form("dapi", `[0-9a-f]{32}\b`),
	// stores of secrets
	form("hvs.", `[\w-]{24,}`), form("hvb.", `[\w-]{24,}`), form("dp.pt.", `[A-Za-z0-9]{40,}`),
	form("AGE-SECRET-KEY-1", `[0-9A-Z]{58}`),
	form("ntn_", `[A-Za-z0-9]{40,}`), form("xkeysib-", `[0-9a-f]{64}-\w{16}`), form("dor_v1_", `[0-9a-f]{64}`),
	form("sq0csp-", `[\w-]{40,}`), form("shpca_", `[0-9a-fA-F]{32}`), form("shppa_", `[0-9a-fA-F]{32}`),
	form("lin_api_", `\w{40}`), form("NRAK-", `[A-Z0-9]{27}`), form("PMAK-", `[0-9a-f-]{50,}`),
	form("pscale_tkn_", `[\w.=-]{32,}`), form("glsa_", `\w{32}_[0-9a-fA-F]{8}`), form("sntrys_", `[\w+/=-]{40,}`),
	// The base64 of "-----BEGIN PRIVATE KEY-----", and of the same line with RSA, DSA, EC,
	// OPENSSH or ENCRYPTED, as in secrets of Kubernetes.
	form("LS0tLS1CRUdJTiBQUklWQVRFIEtFW", base64Key), form("LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt", base64Key),
	form("LS0tLS1CRUdJTiBEU0EgUFJJVkFURSBLRVkt", base64Key), form("LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFW", base64Key),
	form("LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ", base64Key),
	form("LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBLRVkt", base64Key),
	// Azure
	form("AccountKey=", `[A-Za-z0-9+/]{86}==`), form("SharedAccessKey=", `[A-Za-z0-9+/]{43}=`),
}

// base64Key matches the rest of a private key whose PEM text was encoded once more.
const base64Key = `[A-Za-z0-9+/=]{40,}`

// privateKey matches the first line of a private key in PEM or PGP armor.
var privateKey = regexp.MustCompile(`^-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`)

// These constants bound an armored private key, in bytes.
const (
	maxArmor      = 16 << 10
	maxArmorHead  = 320 // headers such as Proc-Type, and the string literal syntax between the lines
	maxArmorStart = 64  // from "-----BEGIN " to the end of its line
)

// maskPrivateKeys masks the text between the first and the last line of each private key, even if
// the lines are string literals or one line with \n in it. It masks nothing in a program that
// only mentions the first line.
func maskPrivateKeys(text []byte) {
	const begin = "-----BEGIN "
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(begin))
		if i < 0 {
			return
		}
		at += i
		head := privateKey.Find(text[at:min(at+maxArmorStart, len(text))])
		if head == nil {
			at += len(begin)
			continue
		}
		at += len(head)
		body := text[at:min(at+maxArmor, len(text))]
		if end := bytes.Index(body, []byte("-----END")); end >= 0 {
			body = body[:end]
		}
		first := base64Line.FindIndex(body)
		if first == nil || first[0] > maxArmorHead {
			continue
		}
		for _, run := range base64Run.FindAllIndex(body, -1) {
			switch {
			case run[0] < first[0]:
				continue // the bytes are in the headers
			case run[0] > 0 && body[run[0]-1] == '\\':
				run[0]++ // skips the n of an escape sequence \n
			}
			mask(body[run[0]:run[1]])
		}
		at += len(body)
	}
}

var (
	// base64Line matches a line of PEM, which has 64 characters, or of PGP, which has 64 or 76.
	base64Line = regexp.MustCompile(`[A-Za-z0-9+/]{40,}`)
	base64Run  = regexp.MustCompile(`[A-Za-z0-9+/=]{4,}`)
)

// settingsExtensions and settingsNames identify configuration files, scriptExtensions and scriptNames scripts of
// shells and builds, templateExtensions templates of files.
var (
	settingsExtensions = setOf("yaml", "yml", "properties", "toml", "ini", "cfg", "conf", "cnf",
		"config", "json", "jsonc", "json5", "xml", "plist", "hcl", "tf", "tfvars", "dockerfile", "http", "rest")
	settingsNames    = setOf(".npmrc", ".yarnrc", ".flaskenv", "dockerfile", "containerfile")
	scriptExtensions = setOf("sh", "bash", "zsh", "ksh", "fish", "bats", "ps1", "psm1", "psd1", "bat", "cmd", "mk")
	scriptNames      = setOf(".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
		"makefile", "gnumakefile", "justfile", "jenkinsfile", "procfile", "vagrantfile")
	templateExtensions = setOf("tpl", "j2", "jinja", "jinja2", "erb", "gotmpl", "mustache", "in", "default", "local")
)

// settings reports whether a file of that name is a configuration file, a backup or a template of one:
// application.yml, application.yml.bak, values.yaml.tpl, .env.example.
func settings(name string) bool {
	return anyOriginal(name, func(name, ext string) bool {
		return settingsExtensions[ext] || settingsNames[name] || strings.HasPrefix(name, ".env.")
	})
}

// script reports whether a file of that name and text is a script of a shell or a build, a backup or a template of
// one: deploy.sh, deploy.sh.tpl, Makefile, or a file that begins with #!/bin/bash.
func script(name string, text []byte) bool {
	if anyOriginal(name, func(name, ext string) bool { return scriptExtensions[ext] || scriptNames[name] }) {
		return true
	}
	if !bytes.HasPrefix(text, []byte("#!")) {
		return false
	}
	first, _, _ := bytes.Cut(text[:min(len(text), maxInterpreter)], []byte("\n"))
	return shellLine.Match(first)
}

// maxInterpreter bounds the first line of a script, in bytes. Linux reads as much of it.
const maxInterpreter = 256

// shellLine matches the first line of a script for a shell: #!/bin/sh, #!/usr/bin/env -S bash -e.
var shellLine = regexp.MustCompile(`\b(?:ba|z|k|da|a|fi)?sh\b`)

// anyOriginal reports whether is holds for a file of that name, for the file that it is a backup of, or for the
// one that a template makes. is gets names in lower case, with their extensions.
func anyOriginal(name string, is func(name, ext string) bool) bool {
	name = withoutBackup(strings.ToLower(name))
	for {
		ext := extension(name)
		switch {
		case is(name, ext):
			return true
		case !samples[ext] && !templateExtensions[ext]:
			return false
		}
		name = withoutBackup(strings.TrimSuffix(name, "."+ext))
	}
}

var (
	// assigned matches the text from the end of a setting's name to the end of its value:
	//
	//	password: value    "password" : "value"    password = """value"""    secret: !!str >-⏎ value
	//	<add key="password" value="value"/>    <password>value</password>
	//	<name>password</name>⏎ <value>value</value>    "name": "PASSWORD", "value": "value"
	assigned = regexp.MustCompile(`^(?:` + assignment + `)` + settingValue)
	// assignedInScript also matches the value of an option: --password value, set -x TOKEN value.
	assignedInScript = regexp.MustCompile(`^(?:` + assignment + `|[ \t]+)` + settingValue)
	// credentials matches the value of a header behind its scheme: Authorization: Bearer value.
	credentials = regexp.MustCompile(`^[ \t]+([\w.~+/=-]{16,512})`)
	// urlPassword matches a URL with a password, without its scheme: "://user:password@".
	urlPassword = regexp.MustCompile(`^://[^\s/:@"'{}$<>]{1,256}:([^\s/:@"'{}<>]{8,256})@`)
)

// assignment matches the text between the name of a setting and its value, settingValue the value.
const (
	assignment = `["']?(?:[ \t]*(?:[:=]=?>?|" value=)|[ \t]*\r?\n[ \t]*[:=])[ \t]*` +
		`(?:!\S{1,40}[ \t]+)?(?:[|>][+-]?[ \t]*)?(?:\r?\n[ \t]*)?|` +
		`["']?[ \t]*>\s*|</\w{1,40}>\s*<(?:value|string)>\s*|["']?,?\s*["']?value["']?[ \t]*[:=][ \t]*`
	settingValue = `(?:"{1,3}([^"\n]{8,512})|'{1,3}([^'\n]{8,512})|([^\s"'<>{},;]{8,512}))`
)

// authSchemes are the schemes of the header Authorization behind which a secret follows, in lower case.
var authSchemes = [...]string{"bearer", "basic"}

// secretEnds are the ends of the names of settings whose values are secret, in lower case: clientSecret,
// spring.datasource.password, _authToken. Before "key", one of keyKinds is needed.
var secretEnds = [...]string{"password", "passwd", "pwd", "passphrase", "secret", "token", "authident", "_auth",
	"secret_key_base", "secretkeybase", "key"}

// keyKinds lists the words before "key" in the name of a setting that holds a secret key: apiKey,
// access_key, app-key.
var keyKinds = [...]string{"api", "access", "private", "signing", "encryption", "encrypt", "account", "secret",
	"master", "auth", "shared", "session", "hmac", "jwt", "crypt", "app", "admin", "storage", "subscription", "service",
	"client", "primary", "secondary", "deploy", "license", "licence"}

// secretSetting reports whether the setting called before+end, in lower case, holds a secret. end is one of
// secretEnds.
func secretSetting(before []byte, end string) bool {
	if end != "key" {
		return true
	}
	before = bytes.TrimRight(before, "_-")
	return slices.ContainsFunc(keyKinds[:], func(kind string) bool { return bytes.HasSuffix(before, []byte(kind)) })
}

// maxSetting bounds the distance in bytes from the name of a setting to the end of its value.
const maxSetting = 600

// maskSettings masks the values of settings whose names say that they are secret, the passwords in URLs and the
// credentials in headers, if they look generated, and all literal values of settings that registryKey matches. value
// matches the text from the end of a setting's name to the end of its value.
func maskSettings(text []byte, value *regexp.Regexp) {
	lower := code.Folded(text)
	for _, end := range secretEnds {
		eachIndex(lower, end, func(i int) {
			first, last := i, i+len(end)
			for first > 0 && (wordByte(text[first-1]) || text[first-1] == '-') {
				first--
			}
			if !secretSetting(lower[first:i], end) {
				return
			}
			m := value.FindSubmatch(text[last:min(last+maxSetting, len(text))])
			if m == nil {
				return
			}
			for _, value := range m[1:] { // one of the groups has matched
				if generated(value) || len(value) > 0 && registryKey.Match(text[first:last]) && !reference.Match(value) {
					mask(value)
				}
			}
		})
	}
	for _, scheme := range authSchemes {
		eachIndex(lower, scheme, func(i int) {
			i += len(scheme)
			m := credentials.FindSubmatch(text[i:min(i+maxSetting, len(text))])
			if m != nil && generated(m[1]) {
				mask(m[1])
			}
		})
	}
	eachIndex(text, "://", func(i int) {
		if m := urlPassword.FindSubmatchIndex(text[i:min(i+maxSetting, len(text))]); m != nil &&
			generated(text[i+m[2]:i+m[3]]) {
			mask(text[i+m[2] : i+m[3]])
		}
	})
}

// eachIndex calls f with the index of each occurrence of word.
func eachIndex(text []byte, word string, f func(i int)) {
	for at := 0; ; at += len(word) {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return
		}
		at += i
		f(at)
	}
}

// registryKey matches the settings of package managers that only hold secrets.
var registryKey = regexp.MustCompile(`^(?:_authToken|_auth|_password|npmAuthToken|npmAuthIdent)$`)

var (
	hexValue = regexp.MustCompile(
		`^[0-9a-f]{32,}$|^[0-9A-F]{32,}$|^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	anyValue = regexp.MustCompile(`^(?:base64:)?[\w+/=.~!@#%^&*$,;?|<>()\[\]{}-]{16,}$`)
	// reference matches a value that names a secret or computes it: ${TOKEN}, {{ .token }}, $TOKEN, token(x).
	// It may be a path or a name that begins with a variable: $HOME/keys, $PREFIX-token.
	reference = regexp.MustCompile(`[$#%]\{|\{\{|\$\(|<%|^\$[A-Za-z_]\w*(?:$|[/:.-])|^<.*>$|^[\w.]+[(\[]`)
)

// generated reports whether value looks machine-made: a long hexadecimal
// number, a UUID, or a mix of capital letters, small letters and digits with
// few repetitions. Names, paths and placeholders do not.
func generated(value []byte) bool {
	if hexValue.Match(value) {
		return true
	}
	if !anyValue.Match(value) || reference.Match(value) {
		return false
	}
	var upper, lower, digits int
	different := map[byte]bool{}
	for _, c := range value {
		different[c] = true
		switch {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		case '0' <= c && c <= '9':
			digits++
		}
	}
	return upper > 1 && lower > 1 && digits > 1 && len(different) >= 11
}
