package workspace

import (
	"bytes"
	"regexp"
	"strings"
)

// redact masks the credentials in a text by as many asterisks, in place, so
// that every offset and line stays where it was. It masks
//
//   - in every file, tokens that their form gives away: those that services
//     hand out with a prefix of their own;
//   - in every file, the bodies of private keys;
//   - in configuration files, the values of settings such as clientSecret, if
//     they look as only generated values do, and whatever stands for a token
//     in the settings of package registries (_authToken in .npmrc).
//
// Names, placeholders and references (${TOKEN}, {{ .Values.token }}) stay. p is
// the path of the text, relative to the root.
func redact(p string, text []byte) {
	maskTokens(text)
	maskPrivateKeys(text)
	name := strings.ToLower(p[strings.LastIndexByte(p, '/')+1:])
	if settingsExtensions[extension(name)] || settingsNames[name] {
		maskSettings(text)
	}
}

func mask(secret []byte) {
	for i, c := range secret {
		if c > ' ' && c < 0x7f { // lines stay lines, and UTF-8 stays valid
			secret[i] = '*'
		}
	}
}

// tokenForm is the form of one kind of token.
type tokenForm struct {
	start string         // of each token of the form; stays
	rest  *regexp.Regexp // after start
}

// maxToken bounds a token, in bytes.
const maxToken = 2048

// startPairs are the numbers in formsOf, plus one, of the first two bytes that
// tokens have: one look at each pair of bytes is all that most texts cost.
// formsOf are indexes in tokenForms.
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

func maskTokens(text []byte) {
	for i := 1; i < len(text); i++ {
		pair := startPairs[uint16(text[i-1])<<8|uint16(text[i])]
		if pair == 0 {
			continue
		}
		for _, k := range formsOf[pair-1] {
			rest, ok := bytes.CutPrefix(text[i-1:], []byte(tokenForms[k].start))
			if !ok || i > 1 && wordByte(text[i-2]) { // within a longer word, base64 for example
				continue
			}
			if end := tokenForms[k].rest.FindIndex(rest[:min(maxToken, len(rest))]); end != nil {
				mask(rest[:end[1]])
			}
		}
	}
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func form(start, rest string) tokenForm {
	return tokenForm{start, regexp.MustCompile("^(?:" + rest + `)`)}
}

// tokenForms are as their services document them.
var tokenForms = [...]tokenForm{
	form("AKIA", `[A-Z2-7]{16}\b`), form("ASIA", `[A-Z2-7]{16}\b`), // AWS
	form("ghp_", `\w{36}`), form("gho_", `\w{36}`), form("ghu_", `\w{36}`), form("ghs_", `\w{36}`), form("ghr_", `\w{36}`), form("github_pat_", `\w{60,255}`),
	form("glpat-", `[\w-]{20,}`), form("gldt-", `[\w-]{20,}`), form("glrt-", `[\w-]{20,}`),
	form("xoxb-", `\d[\w-]{20,}`), form("xoxp-", `\d[\w-]{20,}`), form("xoxa-", `\d[\w-]{20,}`), form("xoxs-", `\d[\w-]{20,}`), form("xapp-", `\d-[\w-]{20,}`), // Slack
	form("hooks.slack.com/services/", `T\w{6,}/B\w{6,}/\w{16,}`),
	form("sk_live_", `\w{16,}`), form("rk_live_", `\w{16,}`), form("whsec_", `[\w+/=]{24,}`), // Stripe
	form("AIza", `[\w-]{35}`), form("ya29.", `[\w-]{40,}`), form("GOCSPX-", `[\w-]{28}`), // Google
	form("npm_", `[A-Za-z0-9]{36}\b`), form("pypi-AgE", `[\w-]{50,}`), form("dckr_pat_", `[\w-]{20,}`), form("rubygems_", `[0-9a-f]{48}`),
	form("SG.", `[\w-]{16,24}\.[\w-]{32,64}`),                                                                                                                         // SendGrid
	form("sk-ant-", `[\w-]{40,}`), form("sk-proj-", `[\w-]{40,}`), form("sk-svcacct-", `[\w-]{40,}`), form("sk-", `[A-Za-z0-9]{48}\b`), form("hf_", `[A-Za-z]{34}\b`), // models
	form("dop_v1_", `[0-9a-f]{64}`), form("doo_v1_", `[0-9a-f]{64}`), form("shpat_", `[0-9a-fA-F]{32}`), form("shpss_", `[0-9a-fA-F]{32}`), form("dapi", `[0-9a-f]{32}\b`),
	form("hvs.", `[\w-]{24,}`), form("hvb.", `[\w-]{24,}`), form("dp.pt.", `[A-Za-z0-9]{40,}`), form("AGE-SECRET-KEY-1", `[0-9A-Z]{58}`), // vaults
	form("lin_api_", `\w{40}`), form("NRAK-", `[A-Z0-9]{27}`), form("PMAK-", `[0-9a-f-]{50,}`), form("pscale_tkn_", `[\w.=-]{32,}`), form("glsa_", `\w{32}_[0-9a-fA-F]{8}`), form("sntrys_", `[\w+/=-]{40,}`),
	form("AccountKey=", `[A-Za-z0-9+/]{86}==`), form("SharedAccessKey=", `[A-Za-z0-9+/]{43}=`), // Azure
}

// privateKey begins the armor of a private key, as PEM and PGP have it.
var privateKey = regexp.MustCompile(`^-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`)

// Bounds of the armor of a private key, in bytes.
const (
	maxArmor      = 16 << 10
	maxArmorHead  = 320 // headers such as Proc-Type, and what string literals put between the lines
	maxArmorStart = 64  // from "-----BEGIN " to the end of its line
)

// maskPrivateKeys masks what stands between the first and the last line of a
// private key, also where these are lines of string literals or one line with
// \n in it. A program that merely names these lines is left as it is.
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
				continue // a header
			case run[0] > 0 && body[run[0]-1] == '\\':
				run[0]++ // the n of \n
			}
			mask(body[run[0]:run[1]])
		}
		at += len(body)
	}
}

var (
	base64Line = regexp.MustCompile(`[A-Za-z0-9+/]{40,}`) // PEM has 64 a line, PGP 64 or 76
	base64Run  = regexp.MustCompile(`[A-Za-z0-9+/=]{4,}`)
)

// settingsExtensions and settingsNames are of files that hold settings.
var (
	settingsExtensions = setOf("yaml", "yml", "properties", "toml", "ini", "cfg", "conf", "config", "json", "jsonc", "xml")
	settingsNames      = setOf(".npmrc", ".yarnrc", ".env.example", ".env.sample", ".env.template", ".env.dist")
)

var (
	// secretKey is the name of a setting whose value is a secret: clientSecret,
	// spring.datasource.password, _authToken.
	secretKey = regexp.MustCompile(`(?i)(?:password|passwd|passphrase|secret|token|(?:api|access|private|signing|encryption|account)[_-]?key|authident|_auth)$`)
	// assigned is what stands between such a name and the end of its value.
	assigned = regexp.MustCompile(`^["']?[ \t]*(?:[:=]|" value=)[ \t]*["']?([^\s"'<>{}$,;]{8,512})`)
	// urlPassword is a password in a URL.
	urlPassword = regexp.MustCompile(`^://[^\s/:@"'{}$<>]{1,256}:([^\s/:@"'{}$<>]{8,256})@`)
)

// keyEnds are the ends of such names, lower-case: cheaper to look for.
var keyEnds = [...]string{"password", "passwd", "passphrase", "secret", "token", "key", "ident", "_auth"}

// maxSetting bounds how far behind a name its value ends, in bytes.
const maxSetting = 600

// maskSettings masks the values that secretKey and urlPassword lead to.
func maskSettings(text []byte) {
	lower := bytes.ToLower(text)
	if len(lower) != len(text) {
		return // no text of ours: invalid UTF-8 has grown
	}
	for _, end := range keyEnds {
		eachIndex(lower, end, func(i int) {
			first, last := i, i+len(end)
			for first > 0 && (wordByte(text[first-1]) || text[first-1] == '-') {
				first--
			}
			m := assigned.FindSubmatchIndex(text[last:min(last+maxSetting, len(text))])
			if m == nil || !secretKey.Match(text[first:last]) {
				return
			}
			if value := text[last+m[2] : last+m[3]]; registryKey.Match(text[first:last]) || generated(value) {
				mask(value)
			}
		})
	}
	eachIndex(text, "://", func(i int) {
		if m := urlPassword.FindSubmatchIndex(text[i:min(i+maxSetting, len(text))]); m != nil && generated(text[i+m[2]:i+m[3]]) {
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

// registryKey is a setting that package managers have for nothing but secrets.
var registryKey = regexp.MustCompile(`^(?:_authToken|_auth|_password|npmAuthToken|npmAuthIdent)$`)

var (
	hexValue = regexp.MustCompile(`^[0-9a-f]{32,}$|^[0-9A-F]{32,}$|^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	anyValue = regexp.MustCompile(`^[\w+/=.~!@#%^&*-]{16,}$`)
)

// generated reports whether a value looks as if a machine had made it: a long
// hexadecimal number, a UUID, or capital and small letters and digits mixed
// and hardly one twice. Names, paths and placeholders do not.
func generated(value []byte) bool {
	if hexValue.Match(value) {
		return true
	}
	if !anyValue.Match(value) {
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
