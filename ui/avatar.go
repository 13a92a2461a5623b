package ui

import (
	"image/color"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/rivo/uniseg"

	"git.rickub.com/bots-garden/sidekicks/app"
	"git.rickub.com/bots-garden/sidekicks/ui/emoji"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// avatar stands for an agent: its emoji, or a letter in a circle whose colour
// depends on the name (specification, "An agent", icon).
type avatar struct {
	widget.BaseWidget
	size   float32
	person bool
	name   string
	sign   string // what is drawn: an emoji or a letter

	circle  *canvas.Rectangle
	drawn   *canvas.Text  // a letter, or an emoji that has no picture
	picture *canvas.Image // any other emoji
}

func newAvatar(a app.Agent, size float32) *avatar {
	w := blankAvatar(size)
	w.set(a)
	return w
}

func blankAvatar(size float32) *avatar {
	w := &avatar{
		size: size, circle: canvas.NewRectangle(color.Transparent), drawn: canvas.NewText("", nil),
		picture: canvas.NewImageFromImage(nil),
	}
	w.circle.CornerRadius = size / 2
	w.circle.Resize(fyne.NewSquareSize(size))
	w.drawn.Alignment = fyne.TextAlignCenter
	margin := float32(int(size/16 + 0.5))
	w.picture.FillMode = canvas.ImageFillContain
	w.picture.Move(fyne.NewPos(margin, margin))
	w.picture.Resize(fyne.NewSquareSize(size - 2*margin))
	w.ExtendBaseWidget(w)
	return w
}

func (w *avatar) set(a app.Agent) {
	title := a.Title
	if title == "" {
		title = a.Name
	}
	w.name, w.person, w.sign = a.Name, false, sign(a.Icon, title)
	w.Refresh()
}

// setPerson makes it stand for the person: the first letter of what they are
// called ("You").
func (w *avatar) setPerson(you string) {
	w.name, w.person, w.sign = "", true, sign("", you)
	w.Refresh()
}

// sign is the emoji of an icon, or the first letter of icon or title.
func sign(icon, title string) string {
	text := strings.TrimSpace(icon)
	if text == "" {
		text = strings.TrimSpace(title)
	}
	first, _, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
	if isLetter(first) {
		return strings.ToUpper(first)
	}
	if !emoji.Is(first) && !drawable(first) && icon != "" {
		return sign("", title)
	}
	return first
}

// drawable tells whether a font has a character. One that none has is as wide
// as one that cannot exist.
func drawable(emoji string) bool {
	const impossible = "\U0010FFFD"
	r, _ := utf8.DecodeRuneInString(emoji)
	width := func(s string) float32 { return fyne.MeasureText(s, 100, fyne.TextStyle{}).Width }
	return width(string(r)) != width(impossible)
}

func isLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return utf8.RuneCountInString(s) == 1 && r < 0x2000 || unicode.IsLetter(r)
}

func (w *avatar) MinSize() fyne.Size { return fyne.NewSquareSize(w.size) }

func (w *avatar) Refresh() {
	w.paint()
	w.circle.Refresh()
	w.drawn.Refresh()
	w.picture.Refresh()
}

func (w *avatar) paint() {
	w.picture.Image = emoji.Picture(w.sign)
	w.picture.Hidden, w.drawn.Hidden = w.picture.Image == nil, w.picture.Image != nil
	w.drawn.Text = w.sign
	letter := isLetter(w.sign)
	switch {
	case !letter:
		w.circle.FillColor, w.drawn.Color = color.Transparent, theme.Color(tokens.Text)
		w.drawn.TextSize, w.drawn.TextStyle = w.size*0.95, fyne.TextStyle{}
	case w.person:
		w.circle.FillColor, w.drawn.Color = theme.Color(tokens.Muted), theme.Color(tokens.OnAccent)
	default:
		w.circle.FillColor, w.drawn.Color = tokens.AgentColor(w.name), color.White
	}
	if letter {
		w.drawn.TextSize, w.drawn.TextStyle = 5+w.size*0.3, bold
	}
	high := w.drawn.MinSize().Height
	w.drawn.Resize(fyne.NewSize(w.size, high))
	y := (w.size - high) / 2
	if !letter {
		y += w.size / 16 // emoji sit higher on their line than letters
	}
	w.drawn.Move(fyne.NewPos(0, y))
}

func (w *avatar) CreateRenderer() fyne.WidgetRenderer {
	w.paint()
	return widget.NewSimpleRenderer(placed(w.circle, w.drawn, w.picture))
}

// placed holds objects that are placed already.
func placed(objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Objects: objects}
}
