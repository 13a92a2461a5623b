package edit

import "testing"

func TestSetUI(t *testing.T) {
	for _, test := range []struct{ before, after string }{
		{"version: 1\nui:\n  theme: system # colours\n  language: fr\nagents: []\n", "version: 1\nui:\n  theme: dark # colours\n  language: fr\nagents: []\n"},
		{"version: 1\r\nui:\r\n    language: 'fr'\r\n    # theme: light\r\n\r\nagents: []\r\n", "version: 1\r\nui:\r\n    language: 'fr'\r\n    # theme: light\r\n    theme: dark\r\n\r\nagents: []\r\n"},
		{"version: 1\nui: {language: fr, theme: \"light\"}\nagents: []\n", "version: 1\nui: {language: fr, theme: dark}\nagents: []\n"},
		{"version: 1\nui: { language: fr }\nagents: []\n", "version: 1\nui: { language: fr, theme: dark }\nagents: []\n"},
		{"version: 1\nui: {}\nagents: []\n", "version: 1\nui: {theme: dark}\nagents: []\n"},
		{"version: 1\nui:\nagents: []\n", "version: 1\nui:\n  theme: dark\nagents: []\n"},
		{"version: 1\nui: {theme: }\nagents: []", "version: 1\nui: {theme: dark }\nagents: []"},
		{"# file\nversion: 1 # one\nagents: []\n", "# file\nversion: 1 # one\nui:\n  theme: dark\nagents: []\n"},
		{"version: 1\n\nagents: []\nlimits:\n   maxRunningAgents: 1", "version: 1\n\nui:\n   theme: dark\n\nagents: []\nlimits:\n   maxRunningAgents: 1"},
		{"agents: []\nversion: 1", "agents: []\nversion: 1\nui:\n  theme: dark"},
		{"{version: 1, agents: []}", "{version: 1, agents: [], ui: {theme: dark}}"},
		{"version: 1\nagents: []\nui:\n  theme: light", "version: 1\nagents: []\nui:\n  theme: dark"},
	} {
		change, err := SetUI([]byte(test.before), "theme", "dark")
		if err == nil {
			err = change.Verify()
		}
		if err != nil || string(change.After) != test.after {
			t.Errorf("%q: got %v\n%q, want\n%q", test.before, err, change.After, test.after)
		}
	}
}

func TestSetUIRefuses(t *testing.T) {
	for _, text := range []string{
		"version: 1\nbase: &x {}\nui: *x\nagents: []\n",
		"version: 1\nui:\n  theme: |-\n    dark\nagents: []\n",
		"agents: []\n",
		"version: 1\nui: [\n",
	} {
		if change, err := SetUI([]byte(text), "theme", "dark"); err == nil {
			t.Errorf("%q became %q", text, change.After)
		}
	}
}
