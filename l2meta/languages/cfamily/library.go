package cfamily

import (
	"strings"

	"sextant/l2meta/resolve"
)

// isOfLibrary reports whether the C library or POSIX has a function of that
// name. A program that defines one itself does so where they lack it.
func isOfLibrary(name string) bool {
	return library[name] || strings.HasPrefix(name, "pthread_") || strings.HasPrefix(name, "epoll_") || strings.HasPrefix(name, "sem_")
}

var library = resolve.Set("abort", "accept", "access", "aligned_alloc", "alloca", "arc4random", "asctime", "asprintf", "atexit", "atof", "atoi", "atol", "basename",
	"bind", "bsearch", "bzero", "calloc", "chdir", "chmod", "chown", "clock_gettime", "close", "closedir", "connect", "ctime", "dirname", "dlopen",
	"dlsym", "dprintf", "dup", "dup2", "err", "errx", "execv", "execvp", "exit", "explicit_bzero", "fclose", "fcntl", "fdopen", "fflush", "fgets",
	"fileno", "fnmatch", "fopen", "fork", "fprintf", "fputs", "fread", "free", "freeaddrinfo", "freopen", "fseek", "fseeko", "fstat", "fsync", "ftell",
	"ftello", "ftruncate", "fwrite", "gai_strerror", "getaddrinfo", "getcwd", "getdelim", "getenv", "gethostbyname", "gethostname", "getline",
	"getnameinfo", "getopt", "getopt_long", "getpagesize", "getpass", "getpid", "getppid", "getpwnam", "getpwuid", "getrusage", "getsockname",
	"getsockopt", "gettimeofday", "getuid", "gmtime", "gmtime_r", "htonl", "htons", "inet_aton", "inet_ntoa", "inet_ntop", "inet_pton", "ioctl", "isfinite", "isinf", "isnan",
	"isatty", "kill", "link", "listen", "localtime", "localtime_r", "lseek", "lstat", "malloc", "memccpy", "memchr", "memcmp", "memcpy", "memmem",
	"memmove", "mempcpy", "memrchr", "memset", "mkdir", "mkdtemp", "mkstemp", "mkstemps", "mktime", "mmap", "mprotect", "munmap", "nanosleep",
	"ntohl", "ntohs", "open", "opendir", "pathconf", "perror", "pipe", "poll", "popen", "posix_memalign", "pread", "printf", "putenv", "pwrite",
	"qsort", "qsort_r", "raise", "rand", "random", "read", "readdir", "readlink", "readv", "realloc", "reallocarray", "realpath", "recv", "recvfrom",
	"regcomp", "regexec", "regfree", "remove", "rename", "rmdir", "scandir", "select", "send", "sendto", "setenv", "setlocale", "setsockopt", "shutdown",
	"sigaction", "signal", "sleep", "snprintf", "socket", "socketpair", "sprintf", "srand", "sscanf", "stat", "stpcpy", "stpncpy", "strcasecmp",
	"strcasestr", "strcat", "strchr", "strchrnul", "strcmp", "strcpy", "strcspn", "strdup", "strerror", "strerror_r", "strftime", "strlcat", "strlcpy",
	"strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strptime", "strrchr", "strsep", "strsignal", "strspn",
	"strstr", "strtod", "strtof", "strtoimax", "strtok", "strtok_r", "strtol", "strtold", "strtoll", "strtonum", "strtoul", "strtoull", "strtoumax",
	"symlink", "sysconf", "syslog", "system", "time", "timegm", "timingsafe_bcmp", "tmpfile", "truncate", "tzset", "umask", "uname", "unlink",
	"unsetenv", "usleep", "utime", "vasprintf", "vfprintf", "vprintf", "vsnprintf", "vsprintf", "wait", "waitpid", "warn", "warnx", "wcwidth",
	"write", "writev")
