package jit

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// silentFileSystems change without an event: the change is made elsewhere.
var silentFileSystems = map[int64]string{
	unix.NFS_SUPER_MAGIC: "nfs", unix.SMB_SUPER_MAGIC: "smb", unix.CIFS_SUPER_MAGIC: "cifs", unix.SMB2_SUPER_MAGIC: "smb2",
	unix.V9FS_MAGIC: "9p", unix.FUSE_SUPER_MAGIC: "fuse", unix.CEPH_SUPER_MAGIC: "ceph", unix.AFS_SUPER_MAGIC: "afs",
	unix.CODA_SUPER_MAGIC: "coda", unix.NCP_SUPER_MAGIC: "ncp",
}

// eventful returns nil when the file system of a directory sends an event for
// every change made to it, and errNoEvents when it does not.
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
