package tokens

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// contrast is the ratio that WCAG 2 defines, 1 to 21.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.03928 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestTextIsReadable(t *testing.T) {
	test.NewTempApp(t)
	surfaces := []fyne.ThemeColorName{Background, Sidebar, Panel}
	type on struct {
		text     fyne.ThemeColorName
		surfaces []fyne.ThemeColorName
	}
	cases := []on{
		{Text, append(surfaces, Hover, Code, AccentTint, DiffAdded, DiffRemoved, DiffAddedWord, DiffRemovedWord)},
		{Muted, append(surfaces, Code)},
		{Faint, surfaces}, {OK, surfaces}, {Warn, surfaces}, {Error, surfaces},
		{Accent, append(surfaces, AccentTint)},
		{OnAccent, []fyne.ThemeColorName{Accent, AccentHover}},
		{theme.ColorNameForegroundOnError, []fyne.ThemeColorName{Error}},
		{theme.ColorNameForegroundOnWarning, []fyne.ThemeColorName{Warn}},
		{theme.ColorNameForegroundOnSuccess, []fyne.ThemeColorName{OK}},
		{CodeKeyword, []fyne.ThemeColorName{Code}}, {CodeString, []fyne.ThemeColorName{Code}},
		{CodeNumber, []fyne.ThemeColorName{Code}}, {CodeName, []fyne.ThemeColorName{Code}},
		{CodeComment, []fyne.ThemeColorName{Code}},
	}
	for _, mode := range []string{Light, Dark} {
		th := Theme(mode)
		for _, c := range cases {
			for _, surface := range c.surfaces {
				got := contrast(th.Color(c.text, 0), th.Color(surface, 0))
				if got < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", mode, c.text, surface, got)
				}
			}
		}
	}
}

func TestModes(t *testing.T) {
	test.NewTempApp(t)
	light, dark := rgb(0xfbfbfa), rgb(0x191a1c)
	cases := []struct {
		mode    string
		variant fyne.ThemeVariant
		want    color.Color
	}{
		{System, theme.VariantLight, light},
		{System, theme.VariantDark, dark},
		{"", theme.VariantDark, dark},
		{Light, theme.VariantDark, light},
		{Dark, theme.VariantLight, dark},
	}
	for _, c := range cases {
		if got := Theme(c.mode).Color(Background, c.variant); got != c.want {
			t.Errorf("%q with variant %d: background %v, want %v", c.mode, c.variant, got, c.want)
		}
	}
}

// Every colour of Fyne's own is ours, or a default would show.
func TestNoToolkitColour(t *testing.T) {
	test.NewTempApp(t)
	names := []fyne.ThemeColorName{
		theme.ColorNameBackground, theme.ColorNameButton, theme.ColorNameDisabledButton,
		theme.ColorNameDisabled, theme.ColorNameError, theme.ColorNameFocus,
		theme.ColorNameForeground, theme.ColorNameForegroundOnError,
		theme.ColorNameForegroundOnPrimary, theme.ColorNameForegroundOnSuccess,
		theme.ColorNameForegroundOnWarning, theme.ColorNameHeaderBackground,
		theme.ColorNameHover, theme.ColorNameHyperlink, theme.ColorNameInnerWindowBorder,
		theme.ColorNameInnerWindowBorderInactive, theme.ColorNameInputBackground,
		theme.ColorNameInputBorder, theme.ColorNameMenuBackground,
		theme.ColorNameOverlayBackground, theme.ColorNamePlaceHolder, theme.ColorNamePressed,
		theme.ColorNamePrimary, theme.ColorNameScrollBar, theme.ColorNameScrollBarBackground,
		theme.ColorNameSelection, theme.ColorNameSeparator, theme.ColorNameShadow,
		theme.ColorNameSuccess, theme.ColorNameWarning,
	}
	ours := palette()
	for _, name := range names {
		if _, ok := ours[name]; !ok {
			t.Errorf("%s comes from the toolkit", name)
		}
	}
}

// What Fyne lays over a button's colour must not hide it.
func TestOverlaysAreTranslucent(t *testing.T) {
	for _, name := range []fyne.ThemeColorName{theme.ColorNameHover, theme.ColorNamePressed, theme.ColorNameFocus, Selection} {
		s := palette()[name]
		if s.light.A > 0x60 || s.dark.A > 0x60 {
			t.Errorf("%s is too opaque: %v", name, s)
		}
	}
}

func TestFonts(t *testing.T) {
	test.NewTempApp(t)
	th := Theme(System)
	cases := map[string]fyne.TextStyle{
		"Inter-Regular.otf":         {},
		"Inter-Italic.otf":          {Italic: true},
		"Inter-SemiBold.otf":        {Bold: true},
		"Inter-SemiBoldItalic.otf":  {Bold: true, Italic: true},
		"JetBrainsMono-Regular.ttf": {Monospace: true, TabWidth: 4},
		"JetBrainsMono-Bold.ttf":    {Monospace: true, Bold: true, Underline: true},
	}
	for want, style := range cases {
		if got := th.Font(style).Name(); got != want {
			t.Errorf("font of %+v is %s, want %s", style, got, want)
		}
	}
	if th.Font(fyne.TextStyle{Symbol: true}) == nil {
		t.Error("no symbol font")
	}
}

func TestAgentColor(t *testing.T) {
	seen := map[color.Color]bool{}
	for i := range 200 {
		name := fmt.Sprint("agent", i)
		c := AgentColor(name)
		if c != AgentColor(name) {
			t.Fatalf("%s has two colours", name)
		}
		if got := contrast(color.White, c); got < 4.5 {
			t.Errorf("white on %v has a contrast of %.2f", c, got)
		}
		seen[c] = true
	}
	if len(seen) < 10 {
		t.Errorf("200 names share %d colours", len(seen))
	}
}
