package assist

import (
	"strings"

	"git.rickub.com/bots-garden/sidekicks/app/i18n"
)

// Split splits a command line: blanks separate, single or double quotes
// group. There is no other special character: a backslash is one. The error
// is localizable: a quote is not closed.
func Split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, mistake("OpenQuote")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// Join is a command line that Split splits into words.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}

func quote(word string) string {
	switch {
	case word != "" && !strings.ContainsAny(word, " \t\n\r\"'"):
		return word
	case !strings.Contains(word, `"`):
		return `"` + word + `"`
	}
	// Quotes of one kind group those of the other.
	return `'` + strings.ReplaceAll(word, `'`, `'"'"'`) + `'`
}

// mistake is an error whose text in the catalogue is "assist.<mistake>".
type mistake string

func (m mistake) Error() string { return i18n.For("en").Error(m) }

// Localize implements the errors of package i18n.
func (m mistake) Localize() (string, map[string]any) { return "assist." + string(m), nil }
