// Command sbom tells what a program of ours is made of, as its build wrote it
// down: a CycloneDX list of its modules, or with -licences the text of each
// one's licence.
//
//	sbom [-licences] PROGRAM
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("sbom: ")
	licences := flag.Bool("licences", false, "print the licences instead of the list")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: sbom [-licences] PROGRAM")
	}
	info, err := buildinfo.ReadFile(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	if *licences {
		err = writeLicences(os.Stdout, info)
	} else {
		err = writeList(os.Stdout, info)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// component is a module in CycloneDX's words.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Scope   string `json:"scope,omitempty"`
}

func newComponent(kind string, m debug.Module) component {
	return component{Type: kind, Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
}

func writeList(out io.Writer, info *debug.BuildInfo) error {
	list := []component{{Type: "platform", Name: "go", Version: info.GoVersion, PURL: "pkg:generic/go@" + strings.TrimPrefix(info.GoVersion, "go")}}
	for _, m := range info.Deps {
		c := newComponent("library", *used(m))
		c.Scope = "required"
		list = append(list, c)
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"component": newComponent("application", info.Main)},
		"components": list,
	})
}

// used is the module that was built, which may stand for another.
func used(m *debug.Module) *debug.Module {
	if m.Replace != nil {
		return m.Replace
	}
	return m
}

// licence is how modules call the file.
var licence = regexp.MustCompile(`(?i)^(un)?(licen[sc]e|copying|notice|patents)`)

func writeLicences(out io.Writer, info *debug.BuildInfo) error {
	if err := ours(out); err != nil {
		return err
	}
	for _, m := range info.Deps {
		dir, err := folder(used(m))
		if err != nil {
			return err
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(f os.DirEntry) bool { return f.IsDir() || !licence.MatchString(f.Name()) })
		if len(files) == 0 {
			return fmt.Errorf("%s has no licence", m.Path)
		}
		for _, f := range files {
			if err := write(out, m.Path+" "+m.Version, filepath.Join(dir, f.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// ours are the licences of the fonts and pictures.
func ours(out io.Writer) error {
	files, err := filepath.Glob("assets/*/*LICENSE.txt")
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := write(out, strings.TrimSuffix(filepath.Base(f), "-LICENSE.txt"), f); err != nil {
			return err
		}
	}
	return nil
}

func write(out io.Writer, name, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n%s\n\n%s\n\n", name, strings.Repeat("=", len(name)), strings.TrimSpace(string(text)))
	return err
}

// folder is where a module's source lies.
func folder(m *debug.Module) (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version).Output()
	if err != nil {
		return "", fmt.Errorf("download %s@%s: %w", m.Path, m.Version, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", err
	}
	return found.Dir, nil
}
