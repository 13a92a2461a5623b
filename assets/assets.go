// Package assets holds the files that are part of the programs: what they
// say in each language, the icon, the fonts the window is drawn with, and the
// pictures of emoji. It holds data only; the packages that use a file know what it means.
package assets

import "embed"

// Translations holds the catalogues, translations/<area>.<language>.json.
// Package app/i18n reads them.
//
//go:embed translations/*.json
var Translations embed.FS

// Icon is the program's icon, icon.svg as a PNG picture of 256 pixels: for a
// tray Fyne draws an SVG one itself, beside its own goroutine.
//
//go:embed icon.png
var Icon []byte

// Fonts holds the fonts of the window and their licences, fonts/*.
//
//go:embed fonts/*
var Fonts embed.FS

// Emoji is a zip of PNG pictures of 64 pixels, each named by its code points
// in hexadecimal: 1f469-200d-1f4bb, U+FE0F left out. Package ui/emoji reads it.
//
//go:embed emoji/noto.zip
var Emoji string

// EmojiLicence is what the pictures may be used by.
//
//go:embed emoji/Noto-LICENSE.txt
var EmojiLicence string

// Box is what agentbox is made of: the Dockerfile of its image, box/* that the
// image takes in, and the Observer, observer.mjs.
//
//go:embed Dockerfile box observer.mjs
var Box embed.FS
