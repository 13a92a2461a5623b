package edit

import (
	"fmt"
	"testing"

	"gopkg.in/yaml.v3"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		// What YAML 1.1 or 1.2 would read as something else.
		"": `""`, "no": `"no"`, "On": `"On"`, "y": `"y"`, "NULL": `"NULL"`, "~": `"~"`, "true": `"true"`,
		"007": `"007"`, "0o7": `"0o7"`, "0x1F": `"0x1F"`, "0b1": `"0b1"`, "1_000": `"1_000"`, "+1": `"+1"`, "-.5": `"-.5"`, "1e3": `"1e3"`, "1.": `"1."`,
		".inf": `".inf"`, "-.INF": `"-.INF"`, ".NaN": `".NaN"`, "1:30": `"1:30"`, "2024-01-02": `"2024-01-02"`, "2024-01-02T10:00:00Z": `"2024-01-02T10:00:00Z"`,
		"<<": `"<<"`, "=": `"="`, "-": `"-"`, "---": `"---"`, "...": `"..."`, "- a": `"- a"`, "? a": `"? a"`,
		"&a": `"&a"`, "*a": `"*a"`, "!a": `"!a"`, "|": `"|"`, "> a": `"> a"`, "%a": `"%a"`, "@a": `"@a"`, "`a": "\"`a\"", "'a'": `"'a'"`, "[a": `"[a"`,
		"a: b": `"a: b"`, "a:": `"a:"`, "a #b": `"a #b"`, "#a": `"#a"`, " a": `" a"`, "a ": `"a "`, `a"b`: `"a\"b"`,
		// What needs an escape, and what does not.
		"a\nb\tc": `"a\nb\tc"`, "a\x00\x1b\u0085": `"a\x00\x1B\x85"`, "\u2028\uFEFFa": `"\u2028\uFEFFa"`, "\u00a0a": "\"\u00a0a\"",
		`C:\a b`: `'C:\a b'`, `it's \`: `"it's \\"`, "👩‍🚀": `"👩‍🚀"`, "🇫🇷 fr": "🇫🇷 fr",
		// What is as it is.
		"alice": "alice", "Été": "Été", "l'agent": "l'agent", "-acp": "-acp", "--wait": "--wait", "./a/b": "./a/b", "/a b/c": "/a b/c", "3 amis": "3 amis",
		"Alice (assistante)": "Alice (assistante)", "a-b_c.d": "a-b_c.d", "日本": "日本", "v1.2": "v1.2",
		"a, b": "a, b", "a [b]": "a [b]",
	} {
		if got := quote(text, false); got != want {
			t.Errorf("quote(%q) = %s, want %s", text, got, want)
		}
		for _, written := range []string{"a: " + quote(text, false), "{a: " + quote(text, true) + "}", "a: [" + quote(text, true) + ", b]"} {
			var read map[string]any
			if err := yaml.Unmarshal([]byte(written), &read); err != nil {
				t.Errorf("%s: %v", written, err)
				continue
			}
			if list, isList := read["a"].([]any); isList {
				read["a"] = list[0]
			}
			if got := fmt.Sprintf("%T %v", read["a"], read["a"]); got != "string "+text {
				t.Errorf("%s is read as %q", written, got)
			}
		}
	}
	for text, want := range map[string]string{"a, b": `"a, b"`, "a [b]": `"a [b]"`, "a}": `"a}"`, "a": "a"} {
		if got := quote(text, true); got != want {
			t.Errorf("quote(%q) within brackets = %s, want %s", text, got, want)
		}
	}
}
