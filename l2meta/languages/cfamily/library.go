package cfamily

import (
	"strings"

	"sextant/l2meta/resolve"
)

// headers maps the headers of the C library and POSIX to the functions that they declare. It
// includes a few common extensions, and macros with parameters for which POSIX lets programs
// define a substitute.
var headers = []struct{ names, functions string }{
	{"alloca.h stdlib.h", "alloca"},
	{"arpa/inet.h netinet/in.h", "htonl htons ntohl ntohs inet_aton inet_ntoa inet_ntop inet_pton"},
	{"dirent.h", "closedir opendir readdir scandir"},
	{"dlfcn.h", "dlopen dlsym"},
	{"err.h", "err errx warn warnx"},
	{"fcntl.h", "fcntl open"},
	{"fnmatch.h", "fnmatch"},
	{"getopt.h", "getopt getopt_long"},
	{"inttypes.h", "strtoimax strtoumax"},
	{"libgen.h", "basename dirname"},
	{"locale.h", "setlocale"},
	{"malloc.h", "calloc free malloc realloc"},
	{"math.h", "isfinite isinf isnan"},
	{"netdb.h", "freeaddrinfo gai_strerror getaddrinfo gethostbyname getnameinfo"},
	{"poll.h sys/poll.h", "poll"},
	{"pwd.h", "getpwnam getpwuid"},
	{"regex.h", "regcomp regexec regfree"},
	{"signal.h", "kill raise sigaction signal"},
	{"stdio.h",
		"asprintf dprintf fclose fdopen fflush fgets fileno fopen fprintf fputs fread freopen fseek fseeko ftell " +
			"ftello fwrite getdelim" +
			" getline perror popen printf remove rename snprintf sprintf sscanf tmpfile vasprintf vfprintf vprintf " +
			"vsnprintf vsprintf"},
	{"stdlib.h",
		"abort aligned_alloc arc4random atexit atof atoi atol bsearch calloc exit free getenv malloc mkdtemp " +
			"mkstemp mkstemps" +
			" posix_memalign putenv qsort qsort_r rand random realloc reallocarray realpath setenv srand strtod " +
			"strtof strtol strtold strtoll" +
			" strtonum strtoul strtoull system unsetenv"},
	{"string.h strings.h",
		"bzero explicit_bzero memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr memset stpcpy stpncpy " +
			"strcasecmp" +
			" strcasestr strcat strchr strchrnul strcmp strcpy strcspn strdup strerror strerror_r strlcat strlcpy " +
			"strlen strncasecmp strncat strncmp" +
			" strncpy strndup strnlen strpbrk strrchr strsep strsignal strspn strstr strtok strtok_r timingsafe_bcmp"},
	{"sys/ioctl.h", "ioctl"},
	{"sys/mman.h", "mmap mprotect munmap"},
	{"sys/resource.h", "getrusage"},
	{"sys/select.h sys/time.h", "select"},
	{"sys/socket.h",
		"CMSG_ALIGN CMSG_DATA CMSG_FIRSTHDR CMSG_LEN CMSG_NXTHDR CMSG_SPACE " +
			"accept bind connect getsockname getsockopt listen recv recvfrom send sendto setsockopt shutdown socket " +
			"socketpair"},
	{"sys/stat.h", "chmod fstat lstat mkdir stat umask"},
	{"sys/time.h", "gettimeofday timeradd timerclear timercmp timerisset timersub"},
	{"sys/uio.h", "readv writev"},
	{"sys/utsname.h", "uname"},
	{"sys/wait.h", "wait waitpid"},
	{"syslog.h", "syslog"},
	{"time.h",
		"asctime clock_gettime ctime gmtime gmtime_r localtime localtime_r mktime nanosleep strftime strptime time " +
			"timegm tzset"},
	{"unistd.h",
		"access chdir chown close dup dup2 execv execvp fork fsync ftruncate getcwd getdtablesize gethostname getopt " +
			"getpagesize getpass getpid" +
			" getppid getuid isatty link lseek pathconf pipe pread pwrite read readlink rmdir sleep symlink sysconf " +
			"truncate unlink usleep write"},
	{"utime.h", "utime"},
	{"wchar.h", "wcwidth"},
}

// families lists headers that declare all functions whose name begins with a prefix.
var families = []struct{ header, prefix string }{
	{"pthread.h", "pthread_"}, {"sys/epoll.h", "epoll_"}, {"semaphore.h", "sem_"},
}

// declaring maps each function to the headers that declare it.
var declaring = func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, h := range headers {
		for _, function := range strings.Fields(h.functions) {
			if out[function] == nil {
				out[function] = map[string]bool{}
			}
			for _, header := range strings.Fields(h.names) {
				out[function][header] = true
			}
		}
	}
	return out
}()

// isOfLibrary reports whether the C library or POSIX has a function called name. If a program
// defines such a function, it does so for systems that lack it, and a call may run either.
func isOfLibrary(name string) bool {
	if len(declaring[name]) > 0 {
		return true
	}
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return true
		}
	}
	return false
}

// librarySees reports whether f includes, directly or indirectly, a C library or POSIX header that
// declares name.
func librarySees(w *resolve.World, f *resolve.File, name string) bool {
	seen := foreignHeaders(w, f)
	for header := range declaring[name] {
		if seen[header] {
			return true
		}
	}
	for _, family := range families {
		if strings.HasPrefix(name, family.prefix) && seen[family.header] {
			return true
		}
	}
	return false
}

// foreignHeaders returns the headers outside of the workspace that f includes, directly or
// indirectly.
func foreignHeaders(w *resolve.World, f *resolve.File) map[string]bool {
	type foreign struct{ file int64 }
	return resolve.Derive(w, foreign{f.ID}, func() map[string]bool {
		out := map[string]bool{}
		for id := range visible(w, f) {
			g := w.ByID(id)
			if g == nil {
				continue
			}
			for i := range g.Imports {
				if m := &g.Imports[i]; m.Name == "*" && !out[m.Module] && len(included(w, g, m.Module)) == 0 {
					out[m.Module] = true
				}
			}
		}
		return out
	})
}
