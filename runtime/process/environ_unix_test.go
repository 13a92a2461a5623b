//go:build unix

package process

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestEnviron(t *testing.T) {
	path := ParsePath("/login/bin:/usr/bin", "")
	bundle := []string{
		"APPDIR=/tmp/.mount_Side", "APPIMAGE=/home/u/Side.AppImage", "OWD=/home/u", "ARGV0=./Side",
		"LD_LIBRARY_PATH=/tmp/.mount_Side/usr/lib:/opt/own/lib:",
		"XDG_DATA_DIRS=/tmp/.mount_Side/usr/share:/usr/share",
		"PYTHONHOME=/tmp/.mount_Side/usr/",
		"GTK_PATH=/tmp/.mount_Side/usr/lib/gtk:",
		"QT_PLUGIN_PATH=/tmp/.mount_Sidekick/qt",
		"HOME=/home/u", "PATH=/tmp/.mount_Side/usr/bin:/usr/bin", "URL=http://x:1/", "EMPTY=",
	}
	for name, test := range map[string]struct {
		base  []string
		extra map[string]string
		want  []string
	}{
		"plain": {[]string{"A=1", "PATH=/x", "B=a=b", "B="}, nil,
			[]string{"A=1", "B=a=b", "B=", "PATH=/login/bin:/usr/bin"}},
		"the agent's wins": {[]string{"A=1", "PATH=/x", "B=2"}, map[string]string{"PATH": "/mine", "A": "3", "C": ""},
			[]string{"B=2", "A=3", "C=", "PATH=/mine"}},
		"bundle": {bundle, map[string]string{"PYTHONHOME": "/tmp/.mount_Side/wanted"}, []string{
			"LD_LIBRARY_PATH=/opt/own/lib:", "XDG_DATA_DIRS=/usr/share",
			"QT_PLUGIN_PATH=/tmp/.mount_Sidekick/qt", // another folder
			"HOME=/home/u", "URL=http://x:1/", "EMPTY=", "PATH=/login/bin:/usr/bin", "PYTHONHOME=/tmp/.mount_Side/wanted",
		}},
		"no bundle": {[]string{"OWD=/home/u", "ARGV0=zsh"}, nil,
			[]string{"OWD=/home/u", "ARGV0=zsh", "PATH=/login/bin:/usr/bin"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Environ(test.base, path, test.extra); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestBundleIsNotInThePath(t *testing.T) {
	got := mergePath("/tmp/.mount_S/usr/bin:/login/bin", "", []string{"PATH=/tmp/.mount_S/bin:/usr/bin", "APPDIR=/tmp/.mount_S"})
	if want := []string{"/login/bin", "/usr/bin"}; !slices.Equal(got.Dirs[:len(got.Dirs)-1], want) {
		t.Errorf("got %q, want %q and this program's folder", got.Dirs, want)
	}
}

// The child sees the environment that it was given and the token, nothing else.
func TestChildEnvironment(t *testing.T) {
	c := self("environ")
	c.Env = []string{"A=1", "PATH=/bin"}
	p := launch(t, c)
	out, err := io.ReadAll(p.Stdout)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(bytes.TrimSpace(out)))
	if len(lines) != 3 || !slices.Equal(lines[:2], c.Env) || !strings.HasPrefix(lines[2], tokenName+"=") {
		t.Errorf("got %q", lines)
	}
	if len(c.Env) != 2 {
		t.Errorf("the caller's slice is %q", c.Env)
	}
}
