package guide

import (
	"embed"
	"strings"
	"unicode"
)

// texts holds what the guide says, answers/<language>/<name>.md.
//
//go:embed answers
var texts embed.FS

// answer returns the text called name in "en" or "fr".
func answer(language, name string) string {
	text, err := texts.ReadFile("answers/" + language + "/" + name + ".md")
	if err != nil {
		panic(err) // a file of the program is missing
	}
	return string(text)
}

// A topic is something the guide can be asked about: the name of its answer
// and the words, in both languages, that call for it. A word that ends in "*"
// stands for all that begin like it.
type topic struct {
	name  string
	words []string
}

// topics are in the order in which they are tried: a question about an agent
// in a container is about containers.
var topics = []topic{
	{"agents", []string{"docker agent"}},
	{"containers", []string{"container*", "docker", "conteneur*", "sandbox*", "sbx", "compose"}},
	{"permissions", []string{"permission*", "authoris*", "authoriz*", "autoris*", "approv*", "allow*", "trust*", "confiance", "safe*", "secur*", "danger*", "has the right", "le droit"}},
	{"memory", []string{"memory", "memoire", "ram", "limit*", "idle", "inactif*", "at once", "at the same time", "en meme temps"}},
	{"history", []string{"history", "historique", "search*", "cherch*", "recherch*", "saved", "stored", "conserv*", "yesterday", "hier"}},
	{"mentions", []string{"mention*", "who gets", "who receives", "qui recoit", "addressee*", "destinataire*"}},
	{"accounts", []string{"account*", "key", "keys", "token*", "login*", "sign in", "password*", "secret*", "compte*", "cle", "cles", "jeton*", "connexion", "connecter", "mot de passe"}},
	{"keyboard", []string{"keyboard*", "shortcut*", "hotkey*", "clavier*", "touche*", "raccourci*"}},
	{"configuration", []string{"config*", "yaml", "file", "fichier", "setting*", "settings", "reglage*", "preference*", "parametre*"}},
	{"channels", []string{"channel*", "canal", "canaux", "room*", "salon*"}},
	{"stop", []string{"stop*", "cancel*", "interrupt*", "interromp*", "arret*", "annul*"}},
	{"about", []string{"guide", "who are you", "what are you", "how are you", "qui es tu", "tu es qui", "qui etes vous", "vous etes qui", "can you do", "peux tu faire", "pouvez vous faire", "sais tu faire", "savez vous faire", "you a model", "un modele", "which model", "quel modele", "ca va"}},
	{"agents", []string{"agent*", "add", "ajout*", "install*", "claude", "gemini", "codex", "opencode", "mm", "acp", "model*"}},
	{"sidekicks", []string{"sidekick*", "what is this", "c est quoi", "qu est ce que c est"}},
	{"hello", []string{"hello", "hi", "hey", "good morning", "good evening", "help", "bonjour", "bonsoir", "salut", "coucou", "aide", "aidez moi", "aide moi"}},
	{"thanks", []string{"thank*", "thx", "merci", "great", "super", "parfait", "perfect"}},
}

// recognise returns the name of the answer to a question in either language.
func recognise(question string) string {
	said := " " + strings.Join(words(question), " ") + " "
	for _, t := range topics {
		for _, word := range t.words {
			begin, prefix := strings.CutSuffix(word, "*")
			if !prefix {
				begin += " "
			}
			if strings.Contains(said, " "+begin) {
				return t.name
			}
		}
	}
	return "other"
}

// words returns the words of a text in lower case and without accents.
func words(text string) []string {
	return strings.FieldsFunc(plain.Replace(strings.ToLower(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

var plain = strings.NewReplacer("à", "a", "â", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e",
	"î", "i", "ï", "i", "ô", "o", "ù", "u", "û", "u", "œ", "oe")
