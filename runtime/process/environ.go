package process

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// bundleName is the variable that holds the folder of an AppImage while it runs.
const bundleName = "APPDIR"

// bundleOwn are the variables of an AppImage's launcher that tell about itself.
var bundleOwn = []string{bundleName, "APPIMAGE", "ARGV0", "OWD"}

// Environ returns the environment of a child: base, such as [os.Environ], with
// path as its PATH, then extra, which wins over both. What an AppImage's launcher
// added to base is left out, lest programs of the system load the libraries of
// the bundle; what the user put in the same variables stays.
func Environ(base []string, path Path, extra map[string]string) []string {
	bundle := ""
	for _, entry := range base {
		if name, value, _ := strings.Cut(entry, "="); name == bundleName {
			bundle = value
		}
	}
	set := func(name string) bool {
		for other := range extra {
			if sameName(name, other) {
				return true
			}
		}
		return false
	}
	var env []string
	for _, entry := range base {
		name, value, _ := strings.Cut(entry, "=")
		if sameName(name, "PATH") || set(name) {
			continue
		}
		if value, keep := unbundle(name, value, bundle); keep {
			env = append(env, name+"="+value)
		}
	}
	if !set("PATH") {
		env = append(env, "PATH="+path.String())
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		env = append(env, name+"="+extra[name])
	}
	return env
}

// unbundle returns the value of a variable without the entries that lie in the
// bundle, and whether anything of it is left.
func unbundle(name, value, bundle string) (string, bool) {
	if bundle == "" {
		return value, true
	}
	if slices.Contains(bundleOwn, name) {
		return "", false
	}
	entries := filepath.SplitList(value)
	kept := slices.DeleteFunc(slices.Clone(entries), func(entry string) bool { return within(entry, bundle) })
	if len(kept) == len(entries) {
		return value, true
	}
	value = strings.Join(kept, string(os.PathListSeparator))
	return value, strings.Trim(value, string(os.PathListSeparator)) != ""
}

// within tells whether a path is that of a folder, or of something in it.
func within(path, folder string) bool {
	if folder == "" || !filepath.IsAbs(path) {
		return false
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
