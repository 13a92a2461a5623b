package tokens

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/assets"
)

// Values of the preference "theme".
const (
	System = "system" // what the desktop says, also when it changes
	Light  = "light"
	Dark   = "dark"
)

// Text sizes, in Fyne's pixels. Body text is theme.SizeNameText, 14.
const (
	Title     = theme.SizeNameSubHeadingText // 16
	Secondary = theme.SizeNameCaptionText    // 12.5

	Small    fyne.ThemeSizeName = "smallText" // 12: section titles, times
	CodeText fyne.ThemeSizeName = "codeText"  // 12.5
)

type look struct {
	forced  bool
	variant fyne.ThemeVariant // when forced
	colors  map[fyne.ThemeColorName]shade
	fonts   map[fyne.TextStyle]fyne.Resource
	toolkit fyne.Theme // icons, and names newer than this package
}

// Theme returns the window's theme for System, Light or Dark; any other mode
// is System.
func Theme(mode string) fyne.Theme {
	return &look{
		forced:  mode == Light || mode == Dark,
		variant: map[string]fyne.ThemeVariant{Light: theme.VariantLight, Dark: theme.VariantDark}[mode],
		colors:  palette(),
		fonts:   fonts(),
		toolkit: theme.DefaultTheme(),
	}
}

// fonts loads the embedded fonts. The weight 600 stands for bold.
func fonts() map[fyne.TextStyle]fyne.Resource {
	mono := load("JetBrainsMono-Regular.ttf")
	monoBold := load("JetBrainsMono-Bold.ttf")
	return map[fyne.TextStyle]fyne.Resource{
		{}:                              load("Inter-Regular.otf"),
		{Italic: true}:                  load("Inter-Italic.otf"),
		{Bold: true}:                    load("Inter-SemiBold.otf"),
		{Bold: true, Italic: true}:      load("Inter-SemiBoldItalic.otf"),
		{Monospace: true}:               mono,
		{Monospace: true, Italic: true}: mono,
		{Monospace: true, Bold: true}:   monoBold,
		{Monospace: true, Bold: true, Italic: true}: monoBold,
	}
}

func load(name string) fyne.Resource {
	data, err := assets.Fonts.ReadFile("fonts/" + name)
	if err != nil {
		panic(fmt.Sprintf("embedded font: %v", err)) // a build without its fonts
	}
	return fyne.NewStaticResource(name, data)
}

// Color implements fyne.Theme.
func (l *look) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	if l.forced {
		variant = l.variant
	}
	s, ok := l.colors[name]
	switch {
	case !ok:
		return l.toolkit.Color(name, variant)
	case variant == theme.VariantLight:
		return s.light
	default:
		return s.dark
	}
}

// Font implements fyne.Theme.
func (l *look) Font(style fyne.TextStyle) fyne.Resource {
	if style.Symbol {
		return l.toolkit.Font(style)
	}
	return l.fonts[fyne.TextStyle{Bold: style.Bold, Italic: style.Italic, Monospace: style.Monospace}]
}

// Icon implements fyne.Theme.
func (l *look) Icon(name fyne.ThemeIconName) fyne.Resource { return l.toolkit.Icon(name) }

// Size implements fyne.Theme.
func (l *look) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNamePadding, theme.SizeNameLineSpacing:
		return 4
	case theme.SizeNameInnerPadding:
		return 8
	case theme.SizeNameText:
		return 14
	case Secondary, CodeText:
		return 12.5
	case Small:
		return 12
	case Title:
		return 16
	case theme.SizeNameHeadingText:
		return 20
	case theme.SizeNameInlineIcon:
		return 18
	case theme.SizeNameInputRadius, theme.SizeNameButtonRadius:
		return 6
	case theme.SizeNameCardRadius, theme.SizeNameMenuRadius:
		return 8
	case theme.SizeNamePopupRadius:
		return 10
	case theme.SizeNameDialogRadius, theme.SizeNameInnerWindowRadius:
		return 12
	case theme.SizeNameScrollBar:
		return 10
	case theme.SizeNameScrollBarSmall:
		return 4
	case theme.SizeNameModalBlurRadius:
		return 0
	}
	return l.toolkit.Size(name)
}
