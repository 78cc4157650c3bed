package workspace

import (
	"path"
	"strings"
)

// secretNames are files that hold credentials, by their lower-case name.
var secretNames = setOf(
	".env", ".envrc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".git-credentials", ".npmrc", ".pypirc",
	".dockercfg", ".dockerconfigjson", ".s3cfg", ".boto", ".vault-token", ".terraformrc", "credentials", "credentials.json",
	"application_default_credentials.json", "kubeconfig", "master.key", "secring.gpg",
)

// secretExtensions are of key stores, private keys and files that hold
// credentials by their nature.
var secretExtensions = setOf("pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "kdb", "ppk", "p8", "pkcs12", "tfstate", "ovpn", "env")

// samples end the names of templates that show which values are wanted, and
// hold none.
var samples = setOf("example", "sample", "template", "tmpl", "dist", "defaults", "schema")

// keyNames start the names of SSH keys.
var keyNames = [...]string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"}

// Secret reports whether a file is kept out because its name says that it
// holds credentials. No rule and no profile lets it in.
func Secret(p string) bool {
	name := strings.ToLower(p[strings.LastIndexByte(p, '/')+1:])
	ext := extension(name)
	if samples[ext] || strings.HasPrefix(name, ".env") && samples[extension(strings.TrimSuffix(name, "."+ext))] {
		return false
	}
	if secretNames[name] || strings.HasPrefix(name, ".env.") || strings.HasPrefix(name, ".env-") || secretExtensions[ext] {
		return true
	}
	for _, k := range keyNames {
		if rest, ok := strings.CutPrefix(name, k); ok && !sourceExtensions[ext] && (rest == "" || strings.ContainsRune("._-", rune(rest[0]))) {
			return true
		}
	}
	if name == "config" || name == "config.json" {
		switch path.Base(parentOf(p)) {
		case ".docker", ".kube", ".aws":
			return true
		}
	}
	return strings.HasPrefix(name, "client_secret") && ext == "json"
}

// sourceExtensions are of programs that merely talk about a key.
var sourceExtensions = setOf("go", "py", "js", "ts", "rs", "rb", "java", "c", "h", "cc", "cpp", "cs", "php", "md", "rst", "sh")
