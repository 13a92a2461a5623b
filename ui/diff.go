package ui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"git.rickub.com/bots-garden/sidekicks/ui/markdown"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

const (
	sidesWidth = 560  // below, two versions are not set side by side
	firstLines = 400  // of a comparison, shown before "Show more"
	longLine   = 2000 // bytes of a line that are shown
)

// diffView shows what a tool changed in a file: line by line below each other,
// or both versions side by side.
type diffView struct {
	r      *messageRow
	object *fyne.Container
	body   *fyne.Container

	unified     *markdown.Flow
	left, right *markdown.Flow
	line        *surface // between them
	more        *button

	lines []changedLine
	most  int  // of them shown
	sides bool // wanted side by side
}

func newDiffView(r *messageRow, resized func()) *diffView {
	v := &diffView{r: r, unified: r.newOutput(), most: firstLines}
	v.unified.MaxShown = firstLines * longLine
	v.left, v.right, v.line = r.newOutput(), r.newOutput(), ruler()
	v.left.MaxShown, v.right.MaxShown = v.unified.MaxShown, v.unified.MaxShown
	v.body = &fyne.Container{Layout: v, Objects: []fyne.CanvasObject{v.unified, v.left, v.line, v.right}}
	v.more = newButton(r.w.text("ui.ShowMore"), quiet, func() {
		v.most *= 4
		v.draw()
		resized()
	})
	v.object = newColumn(0, insets{}, v.body, framed(inset(2, 6), newWrap(0, 0, v.more)))
	return v
}

// show shows a comparison, in two columns if that is wanted and fits.
func (v *diffView) show(lines []changedLine, sides bool) {
	v.lines, v.sides = lines, sides
	v.draw()
}

func (v *diffView) draw() {
	shown := v.lines[:min(len(v.lines), v.most)]
	v.object.Objects[1].(*fyne.Container).Hidden = len(shown) == len(v.lines)
	digits := digitsOf(shown)
	v.unified.SetLines(unifiedLines(shown, digits))
	if v.sides {
		before, after := sideLines(shown, digits)
		v.left.SetLines(before)
		v.right.SetLines(after)
	}
}

// choose shows one column or two, as is wanted and fits.
func (v *diffView) choose(width float32) (two bool) {
	two = v.sides && width >= sidesWidth
	v.unified.Hidden = two
	v.left.Hidden, v.line.Hidden, v.right.Hidden = !two, !two, !two
	return two
}

// halves are the widths of two columns with a line between them.
func halves(width float32) (left, right float32) {
	left = float32(int(width / 2))
	return left, width - left - 1
}

func (v *diffView) heightFor(_ []fyne.CanvasObject, width float32) float32 {
	if !v.choose(width) {
		return heightFor(v.unified, width)
	}
	left, right := halves(width)
	return max(heightFor(v.left, left), heightFor(v.right, right))
}

// Layout implements fyne.Layout.
func (v *diffView) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if !v.choose(size.Width) {
		v.unified.Resize(size)
		return
	}
	left, right := halves(size.Width)
	v.left.Resize(fyne.NewSize(left, size.Height))
	v.line.Resize(fyne.NewSize(1, size.Height))
	v.line.Move(fyne.NewPos(left, 0))
	v.right.Resize(fyne.NewSize(right, size.Height))
	v.right.Move(fyne.NewPos(left+1, 0))
}

// MinSize implements fyne.Layout.
func (v *diffView) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(40, v.heightFor(o, max(40, v.body.Size().Width)))
}

// digitsOf is how wide the numbers of lines are, 0 when there are none.
func digitsOf(lines []changedLine) (digits int) {
	for _, l := range lines {
		if n := max(l.before, l.after); n > 0 {
			digits = max(digits, len(fmt.Sprint(n)))
		}
	}
	return digits
}

// unifiedLines shows each line of a comparison with both its numbers.
func unifiedLines(lines []changedLine, digits int) []markdown.Line {
	var shown []markdown.Line
	for _, l := range lines {
		numbers := ""
		if digits > 0 {
			numbers = number(l.before, digits) + " " + number(l.after, digits) + " "
		}
		shown = append(shown, diffLine(l, numbers))
	}
	return shown
}

// sideLines shows the two versions of a comparison, what was replaced beside
// what came in its place.
func sideLines(lines []changedLine, digits int) (before, after []markdown.Line) {
	add := func(l, r changedLine) {
		left, right := "", ""
		if digits > 0 {
			left, right = number(l.before, digits)+" ", number(r.after, digits)+" "
		}
		before = append(before, diffLine(l, left))
		after = append(after, diffLine(r, right))
	}
	for i := 0; i < len(lines); {
		out, in := pairs(lines[i:])
		for k := range max(len(out), len(in)) {
			none := changedLine{change: kept}
			switch {
			case k >= len(in):
				add(out[k], none)
			case k >= len(out):
				add(none, in[k])
			default:
				add(out[k], in[k])
			}
		}
		if i += len(out) + len(in); len(out)+len(in) == 0 {
			add(lines[i], lines[i])
			i++
		}
	}
	return before, after
}

func number(n, digits int) string {
	if n == 0 {
		return strings.Repeat(" ", digits)
	}
	return fmt.Sprintf("%*d", digits, n)
}

// diffLine is a line with its sign after its numbers.
func diffLine(l changedLine, numbers string) markdown.Line {
	line := markdown.Line{Text: l.text, Gutter: numbers + string(l.change) + " ", Mark: markdown.Highlight{Start: l.from, End: l.to}}
	if len(line.Text) > longLine {
		line.Text = strings.ToValidUTF8(line.Text[:longLine], "") + "…"
	}
	switch l.change {
	case added:
		line.Back, line.MarkBack = tokens.DiffAdded, tokens.DiffAddedWord
	case removed:
		line.Back, line.MarkBack = tokens.DiffRemoved, tokens.DiffRemovedWord
	case skipped:
		line.Gutter = strings.Repeat(" ", utf8.RuneCountInString(numbers)) + "⋯ "
	}
	return line
}

// changes counts the lines that came and went.
func changes(lines []changedLine) (in, out int) {
	for _, l := range lines {
		switch l.change {
		case added:
			in++
		case removed:
			out++
		}
	}
	return in, out
}
