// The guard of a language server: see guard_linux.go for what it promises.
//
// It is C, and runs before the Go runtime of the binary that it is part of
// starts: so it holds some hundred kilobytes instead of ten megabytes, and its
// one thread makes fork, wait and the lists of children exact.

#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Descriptors that the owner hands over beside the standard streams.
enum {
	LIFELINE = 3, // reading ends with the owner
	REPORT = 4,   // takes the server's process id, and errno when it cannot be started
};

static void caught(int sig) { (void)sig; }

// read_arguments returns the arguments of this process, NULL-terminated.
static char **read_arguments(void) {
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t size = 0, room = 0;
	char *text = NULL;
	for (ssize_t n = 1; fd >= 0 && n > 0; size += n) {
		if (room - size < 4096 && !(text = realloc(text, (room += 16384) + 1))) _exit(127);
		n = read(fd, text + size, room - size);
		if (n < 0) _exit(127);
	}
	if (fd < 0) _exit(127);
	close(fd);
	text[size] = 0;
	size_t count = 0;
	for (size_t i = 0; i < size; i++) count += !text[i];
	char **arguments = calloc(count + 1, sizeof *arguments);
	if (!arguments) _exit(127);
	char *next = text;
	for (size_t i = 0; i < count; i++, next += strlen(next) + 1) arguments[i] = next;
	return arguments;
}

// parent_of returns the parent of a process, 0 when it is gone.
static pid_t parent_of(const char *pid) {
	char path[64], stat[512];
	snprintf(path, sizeof path, "/proc/%.32s/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) return 0;
	ssize_t n = read(fd, stat, sizeof stat - 1);
	close(fd);
	stat[n < 0 ? 0 : n] = 0;
	char *end = strrchr(stat, ')'); // the name, in parentheses, may hold anything
	int parent = 0;
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

// kill_children kills the children. None is reaped meanwhile, so no process id
// can have become another's.
static void kill_children(void) {
	DIR *proc = opendir("/proc");
	if (!proc) return;
	for (struct dirent *e; (e = readdir(proc));)
		if (isdigit((unsigned char)e->d_name[0]) && parent_of(e->d_name) == getpid()) kill(atoi(e->d_name), SIGKILL);
	closedir(proc);
}

// end_all kills and reaps until nothing is left: what a killed child had
// started becomes a child of the subreaper, and is killed in the next round.
static void end_all(pid_t server, int *status) {
	for (;;) {
		kill_children();
		int st;
		pid_t pid;
		while ((pid = waitpid(-1, &st, WNOHANG)) > 0)
			if (pid == server) *status = st;
		if (pid < 0 && errno == ECHILD) return;
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
}

// leave ends the guard as the server ended.
static void leave(int status) {
	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

static pid_t start_server(char **arguments, const sigset_t *mask) {
	pid_t guard = getpid(), pid = fork();
	if (pid != 0) return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != guard) _exit(127);
	sigprocmask(SIG_SETMASK, mask, NULL);
	int self = getpid();
	(void)!write(REPORT, &self, sizeof self);
	execv(arguments[0], arguments + 1);
	int fault = errno;
	(void)!write(REPORT, &fault, sizeof fault);
	_exit(127);
}

// watch returns when the owner or the server has ended.
static void watch(pid_t server, int *status, const sigset_t *mask) {
	for (;;) {
		int st;
		pid_t pid;
		while ((pid = waitpid(-1, &st, WNOHANG)) > 0) {
			if (pid != server) continue;
			*status = st;
			return;
		}
		struct pollfd lifeline = {.fd = LIFELINE, .events = POLLIN};
		char ignored;
		if (ppoll(&lifeline, 1, NULL, mask) > 0 && read(LIFELINE, &ignored, 1) <= 0) return;
	}
}

__attribute__((constructor)) static void guard(void) {
	if (strcmp(program_invocation_name, "sextant-guard") != 0) return;
	char **arguments = read_arguments();
	if (!arguments[0] || !arguments[1] || !arguments[2]) _exit(127);
	fcntl(LIFELINE, F_SETFD, FD_CLOEXEC);
	fcntl(REPORT, F_SETFD, FD_CLOEXEC);
	prctl(PR_SET_CHILD_SUBREAPER, 1);

	// Handlers, unlike signals that are ignored, do not pass to the server.
	struct sigaction none = {.sa_handler = caught};
	int caught_signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGPIPE};
	for (size_t i = 0; i < sizeof caught_signals / sizeof *caught_signals; i++) sigaction(caught_signals[i], &none, NULL);
	sigset_t children, mask;
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, &mask);

	pid_t server = start_server(arguments + 1, &mask);
	int report[2] = {server, errno};
	if (server < 0) (void)!write(REPORT, report, sizeof report);
	// A stream that the guard held open would look as if the server did.
	for (int fd = 0; fd <= REPORT; fd++)
		if (fd != LIFELINE) close(fd);
	int status = SIGKILL; // of a server that is killed with its owner
	if (server > 0) watch(server, &status, &mask);
	end_all(server, &status);
	leave(status);
}
