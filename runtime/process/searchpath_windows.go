package process

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// executable returns file, completed with an extension of PATHEXT when it has
// none of them, when it is there.
func executable(file string) (string, error) {
	list := os.Getenv("PATHEXT")
	if list == "" {
		list = ".COM;.EXE;.BAT;.CMD"
	}
	extensions := strings.Split(strings.ToLower(list), ";")
	if slices.Contains(extensions, strings.ToLower(filepath.Ext(file))) {
		extensions = []string{""}
	}
	for _, extension := range extensions {
		if info, err := os.Stat(file + extension); err == nil && !info.IsDir() {
			return file + extension, nil
		}
	}
	return "", fs.ErrNotExist
}

// sameName tells whether two names are of the same environment variable.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// loginShell returns "": programs have the user's PATH however they are started.
func loginShell() string { return "" }
