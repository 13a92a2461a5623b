package protect

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gobwas/glob"
)

// A pattern is one with wildcards: `*` and `?` stand for what is within a
// name, `**` for any number of folders, none included. All else is literal.
type pattern struct {
	rule Rule
	// own matches what is protected.
	own []*glob.Pattern
	// leads match the folders in which something protected may be.
	leads []*glob.Pattern
}

func (p pattern) matches(key string) bool { return matchesAny(p.own, key) }

// leadsThrough reports whether something inside a folder may match.
func (p pattern) leadsThrough(key string) bool { return key == "." || matchesAny(p.leads, key) }

func matchesAny(patterns []*glob.Pattern, key string) bool {
	for _, p := range patterns {
		if p.Match(key) {
			return true
		}
	}
	return false
}

// compile compiles a normalised pattern with wildcards. Like a shell's, it
// takes x/** for x too: nothing can be put there, and it cannot be lost.
func compile(written string, rule Rule) pattern {
	p := pattern{rule: rule, own: []*glob.Pattern{globOf(written)}}
	if folder, ok := strings.CutSuffix(written, "/**"); ok {
		p.own = append(p.own, globOf(folder))
	}
	folders := strings.Split(written, "/")
	for n := 1; n < len(folders); n++ {
		if strings.Contains(folders[n-1], "**") {
			break
		}
		p.leads = append(p.leads, globOf(strings.Join(folders[:n], "/")))
	}
	if before, _, deep := strings.Cut(written, "**"); deep {
		p.leads = append(p.leads, globOf(before+"**"))
	}
	return p
}

var stars = regexp.MustCompile(`\*{3,}`)

// globOf compiles what has no meaning but that of its wildcards.
func globOf(text string) *glob.Pattern {
	var b strings.Builder
	for _, r := range stars.ReplaceAllString(text, "**") {
		if strings.ContainsRune(`\[]{}!,-`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	compiler := glob.Compiler{Separators: []rune{'/'}, Globstar: true}
	compiled, err := compiler.Compile(b.String())
	if err != nil { // nothing is left that could be wrong
		panic(fmt.Sprintf("protect: %q: %v", text, err))
	}
	return compiled
}

// Check returns nil for a pattern of the `protect` of an agent with this
// folder, or a [*PatternError] when it can never match.
func Check(folder, written string) error {
	_, err := normalise(folder, written)
	if err == nil && filepath.Separator != '\\' && strings.ContainsRune(written, '\\') {
		// It could match a name with a backslash in it, and never does.
		return &PatternError{Pattern: written, Reason: Backslash, Instead: strings.ReplaceAll(written, `\`, "/")}
	}
	return err
}

// Reason says why a pattern can never match: the text "protect.<Reason>".
type Reason string

// The reasons.
const (
	Empty     Reason = "Empty"
	Outside   Reason = "Outside"   // it names what is not in the folder
	Backslash Reason = "Backslash" // which is part of a name on this system
)

// PatternError is a pattern that can never match.
type PatternError struct {
	Pattern string
	Reason  Reason
	Instead string // what was meant, for Backslash
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("the pattern %q can never match (%s)", e.Pattern, strings.ToLower(string(e.Reason)))
}

// Localize returns the text of the catalogue that says why, and what to write.
func (e *PatternError) Localize() (id string, args map[string]any) {
	return "protect." + string(e.Reason), map[string]any{"Pattern": e.Pattern, "Instead": e.Instead}
}

// normalise makes a written pattern relative to the folder and free of
// detours. What is written as a folder, x/, is x with all it holds.
func normalise(folder, written string) (string, error) {
	name := slashed(written)
	if name == "" {
		return "", &PatternError{Pattern: written, Reason: Empty}
	}
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(name, "~/") {
		name = path.Join(slashed(home), name[2:])
	}
	whole := strings.HasSuffix(name, "/")
	if path.IsAbs(name) || filepath.IsAbs(written) {
		relative, ok := within(folder, filepath.FromSlash(name))
		if !ok {
			return "", &PatternError{Pattern: written, Reason: Outside}
		}
		name = relative
	}
	name = path.Clean(name)
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", &PatternError{Pattern: written, Reason: Outside}
	}
	if whole && strings.ContainsAny(name, "*?") && !strings.HasSuffix(name, "**") {
		name += "/**"
	}
	return name, nil
}

// within returns a path as a name in the folder, when it leads there: as
// written, or once the symlinks that exist are followed.
func within(folder, file string) (string, bool) {
	for _, follow := range []func(string) string{filepath.Clean, behind} {
		name, err := filepath.Rel(follow(folder), follow(file))
		if err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name), true
		}
	}
	return "", false
}

// behind is where the symlinks of a path lead, as far as it exists.
func behind(file string) string {
	file = filepath.Clean(file)
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	dir := filepath.Dir(file)
	if dir == file {
		return file
	}
	return filepath.Join(behind(dir), filepath.Base(file))
}
