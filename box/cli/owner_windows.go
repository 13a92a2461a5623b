package cli

func owner(string) (uid, gid int) { return 0, 0 }
