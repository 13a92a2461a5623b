package runtime

import (
	"path/filepath"
	"slices"
	"strings"
)

// entry is what an agent's command line tells of how it enters its box.
type entry struct {
	options []string // of docker itself: they may name another engine
	user    []string // "-u" and the user that the agent runs as, if it says so
	argv    []string // what runs inside; nil when that cannot be told
}

// The options whose value is the next word.
var (
	dockerValues = []string{"--config", "-c", "--context", "-H", "--host", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey"}
	execValues   = []string{"--detach-keys", "-e", "--env", "--env-file", "-u", "--user", "-w", "--workdir"}
)

// parseEntry reads `docker [options] exec [flags] NAME COMMAND…`. Anything else
// is the person's own way to start the agent, which nothing is told of.
func parseEntry(command []string) entry {
	var e entry
	if len(command) == 0 {
		return e
	}
	program := strings.TrimSuffix(filepath.Base(command[0]), ".exe")
	if program != "docker" && program != "sbx" {
		return e
	}
	options, rest := flags(command[1:], dockerValues)
	if len(rest) == 0 || rest[0] != "exec" {
		return e
	}
	own, rest := flags(rest[1:], execValues)
	if len(rest) < 2 { // the name, then at least a program
		return e
	}
	e.options, e.argv = options, rest[1:]
	for i, word := range own {
		name, value, joined := strings.Cut(word, "=")
		switch {
		case name != "-u" && name != "--user":
			if strings.HasPrefix(word, "-u") && !strings.HasPrefix(word, "--") { // -uroot
				e.user = []string{"-u", word[2:]}
			}
		case joined:
			e.user = []string{"-u", value}
		case i+1 < len(own):
			e.user = []string{"-u", own[i+1]}
		}
	}
	return e
}

// flags splits words into the options that they begin with and the rest.
func flags(words, withValue []string) (options, rest []string) {
	for i := 0; i < len(words); i++ {
		if !strings.HasPrefix(words[i], "-") || words[i] == "-" {
			return options, words[i:]
		}
		options = append(options, words[i])
		if slices.Contains(withValue, words[i]) && i+1 < len(words) {
			i++
			options = append(options, words[i])
		}
	}
	return options, nil
}
