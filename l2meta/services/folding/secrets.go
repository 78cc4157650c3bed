package folding

import (
	"regexp"
	"strings"
)

// IsSecret reports whether a setting may hold a secret, judged by its name. The keys by which a
// broker routes messages are not secrets, unless the value looks like one. Neither is the address
// of Keycloak, KEYCLOAK_URL, although it contains KEY.
func IsSecret(name, value string) bool {
	if key, otherwise, ok := Setting(strings.Trim(value, "{}")); ok && otherwise == "" {
		name = key // the value is the hole of another setting, whose name is judged instead
	}
	if pathOfWords.MatchString(value) {
		return false // for example, LIST_TOKENS = "/users/me/tokens"
	}
	open := openKeys.ReplaceAllString(name, "")
	return secretLike.MatchString(strings.ToUpper(open)) || open != name && random.MatchString(value)
}

var (
	secretLike = regexp.MustCompile(`KEY|SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIAL`)
	openKeys   = regexp.MustCompile(`(?i)(?:routing|partition|message)[-_]?keys?|keycloak`)
	// pathOfWords matches a path of two or more words in small letters and parameters.
	pathOfWords = regexp.MustCompile(`^\.?(?:/(?:[a-z][a-z0-9_-]{0,20}|\{[^{}]*\})){2,}$`)
	random      = regexp.MustCompile(`^[0-9A-Za-z]{20,}$`)
)

// NamesSecret reports whether the name of a setting suggests a secret: API_KEY.
func NamesSecret(name string) bool { return secretLike.MatchString(strings.ToUpper(name)) }
