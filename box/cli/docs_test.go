package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var documented = regexp.MustCompile(`(?m)^\$ (?:.* )?(?:agentbox|sidekicks box)(?: (.*))?$`)

// Every command line of agentbox in the documents is one.
func TestDocumentedCommands(t *testing.T) {
	files, err := filepath.Glob("../../docs/*/*.md")
	more, _ := filepath.Glob("../../docs/*/*/*.md")
	if files = append(files, more...); err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range documented.FindAllStringSubmatch(string(text), -1) {
			lines++
			p := &program{out: io.Discard, err: io.Discard}
			command, rest, err := p.root().Find(strings.Fields(line[1]))
			if err == nil {
				err = command.ParseFlags(rest)
			}
			if err == nil {
				err = command.ValidateArgs(command.Flags().Args())
			}
			if err != nil && !strings.Contains(err.Error(), "help requested") {
				t.Errorf("%s: %q: %v", file, line[0], err)
			}
		}
	}
	if lines == 0 {
		t.Error("no command line of agentbox is documented")
	}
}
