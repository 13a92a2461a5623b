package yamldoc

import (
	"cmp"
	"fmt"
	"slices"
)

// Code is the kind of an [Error].
type Code string

// What can be wrong with a document.
const (
	UTF16             Code = "UTF16"
	Binary            Code = "Binary"
	NotUTF8           Code = "NotUTF8"
	ControlCharacter  Code = "ControlCharacter" // Args: Character, as "U+0007"
	Tab               Code = "Tab"
	NoBreakSpace      Code = "NoBreakSpace"
	UnclosedQuote     Code = "UnclosedQuote"
	UnclosedBracket   Code = "UnclosedBracket"
	ColonInText       Code = "ColonInText"
	MissingColon      Code = "MissingColon"
	Indentation       Code = "Indentation"
	ReservedCharacter Code = "ReservedCharacter"
	Escape            Code = "Escape"
	UnknownAnchor     Code = "UnknownAnchor"
	TooDeep           Code = "TooDeep"
	Syntax            Code = "Syntax" // none of the others
	SecondDocument    Code = "SecondDocument"
	Recursion         Code = "Recursion"
	TooManyAliases    Code = "TooManyAliases"
	Merge             Code = "Merge"
	Tag               Code = "Tag"
	DuplicateKey      Code = "DuplicateKey" // Args: Key, First (its line)
	NUL               Code = "NUL"
	KeyNotText        Code = "KeyNotText"
	QuoteKey          Code = "QuoteKey" // Args: Key
	Quote             Code = "Quote"    // Args: Value, which may be a secret
)

// sentences say each code in English, for logs.
var sentences = map[Code]string{
	UTF16:             "UTF-16, not UTF-8",
	Binary:            "not a text",
	NotUTF8:           "not UTF-8 text",
	ControlCharacter:  "control character",
	Tab:               "a tab indents this line",
	NoBreakSpace:      "no-break space",
	UnclosedQuote:     "quote not closed",
	UnclosedBracket:   "bracket not closed, or comma missing",
	ColonInText:       "unexpected \": \"",
	MissingColon:      "no \": \" after the key",
	Indentation:       "wrong indentation",
	ReservedCharacter: "value starting with a reserved character",
	Escape:            "unknown escape after \"\\\"",
	UnknownAnchor:     "alias of an anchor that does not exist",
	TooDeep:           "too many levels",
	Syntax:            "not valid YAML",
	SecondDocument:    "only one document",
	Recursion:         "anchor containing itself",
	TooManyAliases:    "too many values through aliases",
	Merge:             "\"<<\" needs a mapping",
	Tag:               "tag or type not supported",
	DuplicateKey:      "key defined twice",
	NUL:               "NUL character in a text",
	KeyNotText:        "key that is not a text",
	QuoteKey:          "key that is not a text: quotes needed",
	Quote:             "value that is not a text: quotes needed",
}

// Error is one thing wrong with a document. Its sentence never quotes a value.
type Error struct {
	Line, Column int    // where, from 1
	Path         string // what, as "agents[0].name"; "" is the whole document
	Code         Code
	Args         map[string]any // what more there is to say, by Code
}

func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("yaml: line %d: %s", e.Line, sentences[e.Code])
	}
	return fmt.Sprintf("yaml: line %d: %s: %s", e.Line, e.Path, sentences[e.Code])
}

// sortErrors puts errors in file order.
func sortErrors(errs []*Error) {
	slices.SortStableFunc(errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
