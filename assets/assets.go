// Package assets holds the files that are part of the programs: what they
// say in each language, and the fonts the window is drawn with. It holds
// data only; the packages that use a file know what it means.
package assets

import "embed"

// Translations holds the catalogues, translations/<area>.<language>.json.
// Package app/i18n reads them.
//
//go:embed translations/*.json
var Translations embed.FS

// Fonts holds the fonts of the window and their licences, fonts/*.
//
//go:embed fonts/*
var Fonts embed.FS
