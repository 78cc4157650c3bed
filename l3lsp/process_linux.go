package l3lsp

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// userHZ is the number of clock ticks per second in /proc, the same on all
// architectures that Go runs on.
const userHZ = 100

// treeUse returns the resources that a process and its descendants use
// together.
func treeUse(root int) (total use) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return use{}
	}
	uses, children := map[int]use{}, map[int][]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		parent, u, ok := processUse(pid)
		if !ok {
			continue // the process ended meanwhile
		}
		uses[pid] = u
		children[parent] = append(children[parent], pid)
	}
	for tree := []int{root}; len(tree) > 0; {
		pid := tree[len(tree)-1]
		tree = append(tree[:len(tree)-1], children[pid]...)
		total.rss += uses[pid].rss
		total.cpu += uses[pid].cpu
		delete(children, pid) // /proc is no snapshot; reused ids must not form a cycle
	}
	return total
}

// processUse returns the id of a process's parent and the resources that the
// process uses; false if it has ended.
func processUse(pid int) (parent int, u use, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, use{}, false
	}
	return parsedStat(string(b))
}

// parsedStat returns what processUse does, of the text of /proc/PID/stat.
func parsedStat(stat string) (parent int, u use, ok bool) {
	// The command's name, in parentheses, may contain anything, even parentheses.
	f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const ppid, utime, stime, rss = 1, 11, 12, 21 // fields 4, 14, 15 and 24 of the file; the name was the second
	if len(f) <= rss {
		return 0, use{}, false
	}
	parent, _ = strconv.Atoi(f[ppid])
	pages, _ := strconv.ParseInt(f[rss], 10, 64)
	user, _ := strconv.ParseInt(f[utime], 10, 64)
	system, _ := strconv.ParseInt(f[stime], 10, 64)
	return parent, use{rss: pages * int64(os.Getpagesize()),
		cpu: time.Duration(user+system) * (time.Second / userHZ)}, true
}
