package guide

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"git.rickub.com/bots-garden/sidekicks/app/config"
)

func TestRecognise(t *testing.T) {
	for question, want := range map[string]string{
		"How do I add an agent?":                             "agents",
		"Comment ajouter un agent ?":                         "agents",
		"can I use Claude":                                   "agents",
		"How do I add an agent in a Docker container?":       "containers",
		"Comment lancer un agent dans un conteneur ?":        "containers",
		"What is a channel?":                                 "channels",
		"À quoi servent les canaux ?":                        "channels",
		"how do mentions work":                               "mentions",
		"Qui reçoit mon message ?":                           "mentions",
		"Who decides what an agent is allowed to do?":        "permissions",
		"Qui décide de ce qu'un agent a le droit de faire ?": "permissions",
		"Is it safe?":                                        "permissions",
		"Where is my configuration?":                         "configuration",
		"Où est mon fichier de config ?":                     "configuration",
		"How much memory do the agents take?":                "memory",
		"Puis-je limiter la mémoire ?":                       "memory",
		"How many agents run at once?":                       "memory",
		"where is the HISTORY kept":                          "history",
		"Où est l’historique ?":                              "history",
		"any keyboard shortcuts?":                            "keyboard",
		"Comment arrêter une réponse ?":                      "stop",
		"What are you?":                                      "about",
		"Qui es-tu ?":                                        "about",
		"Que sais-tu faire ?":                                "about",
		"What can you do":                                    "about",
		"What is Sidekicks?":                                 "sidekicks",
		"C’est quoi, Sidekicks ?":                            "sidekicks",
		"Hello!":                                             "hello",
		"bonjour":                                            "hello",
		"aide-moi":                                           "hello",
		"Thanks, that is clear":                              "thanks",
		"hi, how do I add an agent?":                         "agents",
		"Write a poem about the sea":                         "other",
		"this program framework is tiramisu":                 "other",
		"":                                                   "other",
		"👍":                                                  "other",
	} {
		if got := recognise(question); got != want {
			t.Errorf("recognise(%q) = %q, want %q", question, got, want)
		}
	}
}

func TestEveryTextIsInBothLanguages(t *testing.T) {
	english, french := names(t, "en"), names(t, "fr")
	if !slices.Equal(english, french) {
		t.Errorf("English has %v, French %v", english, french)
	}
	used := []string{"other", "markdown", "stream"}
	for _, topic := range topics {
		used = append(used, topic.name)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	if !slices.Equal(used, english) {
		t.Errorf("the texts are %v, those used %v", english, used)
	}
}

func names(t *testing.T, language string) (names []string) {
	t.Helper()
	entries, err := fs.ReadDir(texts, "answers/"+language)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	return names
}

// codeBlock matches a block of YAML in Markdown.
var codeBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

func TestConfigurationsInTextsAreValid(t *testing.T) {
	for _, language := range []string{"en", "fr"} {
		found := 0
		for _, name := range names(t, language) {
			for _, block := range codeBlock.FindAllStringSubmatch(answer(language, name), -1) {
				found++
				checkConfiguration(t, language+"/"+name, block[1])
			}
		}
		if found == 0 {
			t.Errorf("%s: no configuration in the texts", language)
		}
	}
}

func checkConfiguration(t *testing.T, where, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, problems, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if p.Severity == config.Error {
			t.Errorf("%s: %v\n%s", where, p, text)
		}
	}
}
