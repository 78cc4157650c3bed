package workspace

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/code"
)

// secretNames lists the names of files that hold credentials, in lower case.
var secretNames = setOf(
	".env", ".envrc", ".netrc", "_netrc", ".git-credentials", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf",
	".htpasswd", ".pypirc",
	".dockercfg", ".dockerconfigjson", ".s3cfg", ".boto", "rclone.conf", ".terraformrc", "terraform.rc",
	"credentials.tfrc.json",
	"credentials", "credentials.json", "credentials.toml", "credentials.yml", "credentials.yaml", "credentials.xml",
	"credentials.properties",
	"application_default_credentials.json", "accesstokens.json", "azureprofile.json", "kubeconfig",
	"secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", ".secrets.toml", "secrets.properties", "secrets.xml",
	".secrets", ".secrets.yml", ".secrets.yaml", ".secrets.json", ".vault-token", ".vault_pass", ".vault-pass",
	".vault_password", "vault_password.txt",
	"auth.json", "wp-config.php", "local.settings.json", "localsettings.php", "settings-security.xml", "master.key",
	"secring.gpg", "otr.private_key",
	"sftp.json", "sftp-config.json", ".ftpconfig", ".remote-sync.json", "filezilla.xml", "recentservers.xml",
	"sitemanager.xml",
	".dbeaver-data-sources.xml", "robomongo.json", ".msmtprc", ".fetchmailrc", ".muttrc", "proftpdpasswd",
	".bash_history", ".zsh_history", ".sh_history", ".ksh_history", ".history", "fish_history", ".python_history",
	".node_repl_history", ".irb_history",
	".pry_history", ".irb-history", ".psql_history", ".mysql_history", ".sqlite_history",
	".rediscli_history", ".dbshell",
	".lesshst", ".php_history",
)

// secretExtensions lists the extensions of key stores, private keys and other files that usually
// hold credentials.
var secretExtensions = setOf(
	"pem", "key", "p12", "pfx", "p8", "pkcs8", "pkcs12", "jks", "jceks", "bks", "keystore",
	"keytab", "keychain", "kdbx",
	"kdb", "psafe3", "kwallet", "ppk", "agekey",
	"tfstate", "tfvars", "ovpn", "env", "kubeconfig",
)

// secretBelow lists, by the name of a folder, files that hold credentials only in such a folder.
var secretBelow = map[string]map[string]bool{
	".docker": setOf("config.json"),
	".kube":   setOf("config"),
	".aws":    setOf("config"),
	".bundle": setOf("config"),
	".m2":     setOf("settings.xml"),
	"gh":      setOf("hosts.yml"),
	".nuget":  setOf("nuget.config"),
	".irssi":  setOf("config"),
	".purple": setOf("accounts.xml"),
}

// translations lists the names of folders for texts in human languages, in which
// locales/en/auth.json is no secret.
var translations = setOf("locale", "locales", "i18n", "l10n", "lang", "languages", "translations", "messages")

// samples lists the last extensions of templates, which name credentials but hold none:
// .env.example.
var samples = setOf("example", "sample", "template", "tmpl", "dist", "defaults", "schema")

// keyNames lists beginnings of the names of SSH keys.
var keyNames = [...]string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"}

// backups lists endings of the names of copies that editors and people leave behind.
var backups = [...]string{"~", ".bak", ".backup", ".old", ".orig", ".save", ".saved", ".copy", ".swp", ".swo", ".tmp",
	".rej"}

// Secret reports whether the name of the file at p says that it holds
// credentials or is a copy of such a file. Secrets are skipped under every rule
// and profile. Credentials in other files are masked; see redact.
func Secret(p string) bool {
	p = strings.ToLower(p)
	if strings.HasPrefix(p, ".env/") || strings.Contains(p, "/.env/") {
		return true
	}
	name := code.Base(p)
	if harmless(name) {
		return false
	}
	if extension(name) == "json" && slices.ContainsFunc(strings.Split(code.Dir(p), "/"),
		func(d string) bool { return translations[d] }) {
		return false
	}
	return secretOrBackup(name, path.Base(code.Dir(p)))
}

// secretIn reports what Secret reports, for a file at p relative to a root called folder. The root may
// itself be a folder such as .aws, in which "config" holds credentials.
func secretIn(folder, p string) bool {
	return Secret(p) || code.Dir(p) == "" && secretBelow[strings.ToLower(folder)] != nil && Secret(folder+"/"+p)
}

// Withheld returns ErrSecret for a file whose absolute path says that it holds credentials, and
// ErrIgnored for a file within metadata of version control or a store of keys. It is for files
// that are in no tree; in a tree, Stat decides.
func Withheld(abs string) error {
	abs = filepath.ToSlash(abs)
	if slices.ContainsFunc(strings.Split(code.Dir(abs), "/"), func(d string) bool { return metadataDirs[d] }) {
		return ErrIgnored
	}
	if Secret(abs) {
		return ErrSecret
	}
	return nil
}

// secretOrBackup reports whether a lower-case name in the folder dir is that of a
// secret or of a copy of one.
func secretOrBackup(name, dir string) bool {
	if secretName(name, dir) {
		return true
	}
	// Vim's swap file of .env is .env.swp, and that of auth.json is
	// .auth.json.swp.
	original := withoutBackup(name)
	return original != name && (secretName(original, dir) || secretName(strings.TrimPrefix(original, "."), dir))
}

// harmless reports whether the extension of a lower-case name proves that the file is no secret:
// main.go. For most files, this saves the other checks.
func harmless(name string) bool {
	ext := extension(name)
	return harmlessExtensions[ext] && name[0] != '.' && name[0] != '#' && !strings.Contains(name, ".tfstate.")
}

// harmlessExtensions lists those of sourceExtensions that no secret has. It excludes php because
// of wp-config.php.
var harmlessExtensions = func() map[string]bool {
	out := maps.Clone(sourceExtensions)
	for _, names := range append(slices.Collect(maps.Values(secretBelow)), secretNames) {
		for name := range names {
			delete(out, extension(name))
		}
	}
	return out
}()

// withoutBackup returns the name of the file that a backup is a copy of:
// "auth.json" for "auth.json.bak", "auth.json~" and "#auth.json#".
func withoutBackup(name string) string {
	if strings.HasPrefix(name, "#") {
		name = strings.Trim(name, "#")
	}
	for cut := true; cut; {
		cut = false
		for _, b := range backups {
			if rest, ok := strings.CutSuffix(name, b); ok && rest != "" {
				name, cut = rest, true
			}
		}
	}
	return name
}

// secretName reports whether a file with that lower-case name in the folder called dir holds
// credentials.
func secretName(name, dir string) bool {
	ext := extension(name)
	stem := strings.TrimSuffix(name, "."+ext)
	if samples[ext] || strings.HasPrefix(name, ".env") && samples[extension(stem)] {
		return false
	}
	switch {
	case secretNames[name], secretExtensions[ext], secretBelow[dir][name],
		strings.HasPrefix(name, ".env."), strings.HasPrefix(name, ".env-"),
		strings.Contains(name, ".tfstate."), // terraform.tfstate.1700000000.backup
		strings.HasSuffix(name, ".tfvars.json"),
		strings.HasPrefix(name, "kubeconfig") && (ext == "yaml" || ext == "yml" || ext == "conf"),
		strings.HasPrefix(name, "client_secret") && ext == "json":
		return true
	}
	for _, k := range keyNames {
		if rest, ok := strings.CutPrefix(name, k); ok && !sourceExtensions[ext] &&
			(rest == "" || strings.ContainsRune("._-", rune(rest[0]))) {
			return true
		}
	}
	return false
}

// sourceExtensions lists the extensions of programs and of texts. A key has none of them:
// id_rsa.md is a text about a key.
var sourceExtensions = setOf("go", "py", "js", "ts", "rs", "rb", "java", "c", "h", "cc", "cpp", "cs", "php", "md",
	"rst", "sh")
