// Package tokens is the look of the window: its colours, sizes and fonts, as
// a Fyne theme. Widgets ask for a colour by name (theme.Color(tokens.Muted))
// and ask again in Refresh, so that switching between light and dark needs
// nothing else. It draws nothing.
package tokens

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Colours by what they are for. Those that Fyne knows too carry its name, so
// that its widgets and ours agree.
const (
	Background = theme.ColorNameBackground  // the conversation
	Faint      = theme.ColorNamePlaceHolder // times, section titles
	Line       = theme.ColorNameSeparator
	Border     = theme.ColorNameInputBorder // of what can be pressed or filled in
	Accent     = theme.ColorNamePrimary
	OnAccent   = theme.ColorNameForegroundOnPrimary
	Selection  = theme.ColorNameSelection // behind selected text
	Shadow     = theme.ColorNameShadow
	OK         = theme.ColorNameSuccess
	Warn       = theme.ColorNameWarning
	Error      = theme.ColorNameError

	// Text is not Fyne's foreground, whose colour the composer takes away from
	// the letters of Fyne's own field.
	Text        fyne.ThemeColorName = "text"
	Sidebar     fyne.ThemeColorName = "sidebar"
	Panel       fyne.ThemeColorName = "panel" // cards, fields, menus
	Hover       fyne.ThemeColorName = "rowHover"
	Code        fyne.ThemeColorName = "code"
	Muted       fyne.ThemeColorName = "muted"
	AccentTint  fyne.ThemeColorName = "accentTint"
	AccentHover fyne.ThemeColorName = "accentHover" // a primary button under the pointer
	DiffAdded   fyne.ThemeColorName = "diffAdded"
	DiffRemoved fyne.ThemeColorName = "diffRemoved"
	// Behind the words that changed in such lines.
	DiffAddedWord   fyne.ThemeColorName = "diffAddedWord"
	DiffRemovedWord fyne.ThemeColorName = "diffRemovedWord"
	Shade           fyne.ThemeColorName = "shade" // over what lies behind a dialog
	Clear           fyne.ThemeColorName = "clear" // nothing at all
)

// Colours of highlighted code, readable on Code.
const (
	CodeKeyword fyne.ThemeColorName = "codeKeyword"
	CodeString  fyne.ThemeColorName = "codeString"
	CodeNumber  fyne.ThemeColorName = "codeNumber"
	CodeName    fyne.ThemeColorName = "codeName" // functions, types, tags
	CodeComment fyne.ThemeColorName = "codeComment"
)

// shade is one colour in the light and in the dark theme.
type shade struct{ light, dark color.NRGBA }

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func rgba(v uint32, alpha uint8) color.NRGBA {
	c := rgb(v)
	c.A = alpha
	return c
}

func pair(light, dark uint32) shade { return shade{rgb(light), rgb(dark)} }

// palette gives every name its colours. Fyne lays ColorNameHover,
// ColorNamePressed and ColorNameFocus over another colour: they let it shine
// through.
func palette() map[fyne.ThemeColorName]shade {
	background := pair(0xfbfbfa, 0x191a1c)
	sidebar := pair(0xf3f3f1, 0x141517)
	panel := pair(0xffffff, 0x1f2023)
	line := pair(0xe4e4e0, 0x2e3034)
	hover := pair(0xebebe8, 0x26272b)
	code := pair(0xf5f5f2, 0x25262a)
	text := pair(0x1d1d1b, 0xe9e9e6)
	faint := pair(0x6e6e68, 0x8f908a)
	accent := pair(0x5050c8, 0xa6a6f7)
	ok := pair(0x217a4d, 0x5cc08d)
	warn := pair(0x8f5600, 0xe0a33e)
	failed := pair(0xbb2c45, 0xf0718a)
	clear := shade{}

	return map[fyne.ThemeColorName]shade{
		Background:  background,
		Sidebar:     sidebar,
		Panel:       panel,
		Line:        line,
		Hover:       hover,
		Code:        code,
		Text:        text,
		Muted:       pair(0x5f5f5a, 0xa8a9a4),
		Faint:       faint,
		Accent:      accent,
		AccentTint:  pair(0xecebfb, 0x2a2a4a),
		AccentHover: pair(0x4343b4, 0xb8b8fa),
		OK:          ok,
		Warn:        warn,
		Error:       failed,
		DiffAdded:   pair(0xe6f4ea, 0x1c3527),
		DiffRemoved: pair(0xfbe9ec, 0x3d2329),

		DiffAddedWord:   pair(0xbfe5cb, 0x2b5a3e),
		DiffRemovedWord: pair(0xf6c8d0, 0x69323d),

		Selection: {rgba(0x5050c8, 0x3c), rgba(0xa6a6f7, 0x48)},
		Shadow:    {rgba(0x000000, 0x33), rgba(0x000000, 0x73)},
		Shade:     {rgba(0x1d1d1b, 0x48), rgba(0x000000, 0x90)},
		Clear:     clear,

		CodeKeyword: pair(0x7a3bb0, 0xc59bf5),
		CodeString:  ok,
		CodeNumber:  warn,
		CodeName:    pair(0x2c5fb3, 0x8ab8f5),
		CodeComment: pair(0x686862, 0x96978f),

		OnAccent:                                 background,
		theme.ColorNameForeground:                text,
		theme.ColorNameForegroundOnError:         background,
		theme.ColorNameForegroundOnSuccess:       background,
		theme.ColorNameForegroundOnWarning:       background,
		theme.ColorNameHyperlink:                 accent,
		theme.ColorNameButton:                    hover,
		theme.ColorNameDisabledButton:            code,
		theme.ColorNameDisabled:                  pair(0xa3a39d, 0x63645f),
		theme.ColorNameHover:                     {rgba(0x1d1d1b, 0x10), rgba(0xe9e9e6, 0x10)},
		theme.ColorNamePressed:                   {rgba(0x1d1d1b, 0x1c), rgba(0xe9e9e6, 0x1c)},
		theme.ColorNameFocus:                     {rgba(0x5050c8, 0x30), rgba(0xa6a6f7, 0x40)},
		theme.ColorNameInputBackground:           background,
		theme.ColorNameInputBorder:               pair(0xcdcdc7, 0x4a4d54),
		theme.ColorNameMenuBackground:            panel,
		theme.ColorNameOverlayBackground:         panel,
		theme.ColorNameHeaderBackground:          sidebar,
		theme.ColorNameInnerWindowBorder:         sidebar,
		theme.ColorNameInnerWindowBorderInactive: sidebar,
		theme.ColorNameScrollBar:                 {rgba(0x1d1d1b, 0x48), rgba(0xe9e9e6, 0x48)},
		theme.ColorNameScrollBarBackground:       clear,
	}
}
