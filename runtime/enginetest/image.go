//go:build unix

package enginetest

import (
	"archive/tar"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// The images. Their names change with how they are made.
const (
	busyboxImage = "sidekicks-test-busybox:1"
	debianImage  = "sidekicks-test-debian:1"
)

// Busybox returns the name of an image of nothing but busybox. It is made from
// the static busybox of this machine.
func Busybox(t testing.TB) string {
	t.Helper()
	return image(t, busyboxImage, "sh", writeBusybox)
}

// Debian returns the name of an image of the smallest Debian. Making it takes
// a minute, once: it stays.
func Debian(t testing.TB) string {
	t.Helper()
	return image(t, debianImage, "bash", writeDebian)
}

// image makes an image from what write gives, unless it is there.
func image(t testing.TB, name, shell string, write func(io.Writer) error) string {
	t.Helper()
	Need(t)
	alone(t, "image", func() {
		if _, err := command("docker", "image", "inspect", name); err == nil {
			return
		}
		cmd := exec.Command("docker", "import", "--change", fmt.Sprintf("CMD [%q]", shell), "-", name)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		writeErr := write(in)
		_ = in.Close()
		if err := cmd.Wait(); err != nil || writeErr != nil {
			t.Fatalf("make the image %s: %v, %v: %s", name, writeErr, err, &out)
		}
	})
	return name
}

// writeBusybox writes a file system with busybox under all its names.
func writeBusybox(w io.Writer) error {
	program, err := exec.LookPath("busybox")
	if err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	names, err := exec.Command(program, "--list").Output()
	if err != nil {
		return err
	}
	archive := tar.NewWriter(w)
	add := func(h tar.Header, content string) {
		if err == nil {
			h.Size = int64(len(content))
			err = archive.WriteHeader(&h)
		}
		if err == nil {
			_, err = io.WriteString(archive, content)
		}
	}
	for _, folder := range []string{"bin/", "etc/", "root/", "tmp/"} {
		add(tar.Header{Name: folder, Typeflag: tar.TypeDir, Mode: 0o755}, "")
	}
	add(tar.Header{Name: "etc/passwd", Mode: 0o644}, "root:x:0:0::/root:/bin/sh\nagent:x:1000:1000::/tmp:/bin/sh\n")
	add(tar.Header{Name: "etc/group", Mode: 0o644}, "root:x:0:\nagent:x:1000:\n")
	add(tar.Header{Name: "bin/busybox", Mode: 0o755}, string(data))
	for _, name := range strings.Fields(string(names)) {
		if name != "busybox" {
			add(tar.Header{Name: path.Join("bin", name), Typeflag: tar.TypeSymlink, Linkname: "busybox", Mode: 0o777}, "")
		}
	}
	if err != nil {
		return err
	}
	return archive.Close()
}

// writeDebian writes the file system that debootstrap makes.
func writeDebian(w io.Writer) error {
	folder, err := os.MkdirTemp("", "sidekicks-debian-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	root := filepath.Join(folder, "root")
	make := exec.Command("debootstrap", "--variant=minbase", "bookworm", root)
	make.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
	if out, err := make.CombinedOutput(); err != nil {
		return fmt.Errorf("debootstrap: %w: %s", err, out[max(0, len(out)-1000):])
	}
	pack := exec.Command("tar", "-C", root, "-c", ".")
	pack.Stdout = w
	return pack.Run()
}
