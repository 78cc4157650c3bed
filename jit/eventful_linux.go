package jit

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// silentFileSystems maps the magic number of a file system to its name. On
// these file systems another machine or a user process may change files without
// an inotify event.
var silentFileSystems = map[int64]string{
	unix.NFS_SUPER_MAGIC: "nfs", unix.SMB_SUPER_MAGIC: "smb", unix.CIFS_SUPER_MAGIC: "cifs",
	unix.SMB2_SUPER_MAGIC: "smb2",
	unix.V9FS_MAGIC:       "9p", unix.FUSE_SUPER_MAGIC: "fuse", unix.CEPH_SUPER_MAGIC: "ceph",
	unix.AFS_SUPER_MAGIC:  "afs",
	unix.CODA_SUPER_MAGIC: "coda", unix.NCP_SUPER_MAGIC: "ncp",
}

// eventful returns nil if the file system of directory abs reports every change as an event. For a
// file system that does not, the error wraps errNoEvents.
func eventful(abs string) error {
	var st unix.Statfs_t
	if err := unix.Statfs(abs, &st); err != nil {
		return err
	}
	if name, silent := silentFileSystems[int64(st.Type)]; silent {
		return fmt.Errorf("%s is on %s: %w", abs, name, errNoEvents)
	}
	return nil
}
