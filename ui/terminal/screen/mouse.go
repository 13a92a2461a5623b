package screen

import "fmt"

// Button is a button of the mouse, or a step of its wheel.
type Button int

const (
	LeftButton Button = iota
	MiddleButton
	RightButton
	NoButton
	WheelUp   Button = 64
	WheelDown Button = 65
)

// Action is what was done with it.
type Action int

const (
	Press Action = iota
	Release
	Move
)

// WantsMouse tells whether the program takes the mouse for itself.
func (s *Screen) WantsMouse() bool { return s.modes.mouse != 0 }

// Mouse is what the program is told of the mouse, "" when it does not want to
// know that.
func (s *Screen) Mouse(b Button, a Action, x, y int, m Mod) string {
	x, y = min(max(0, x), s.cols-1), min(max(0, y), s.rows-1)
	switch mode := s.modes.mouse; {
	case mode == 0,
		mode == 9 && (a != Press || b >= WheelUp),
		a == Move && mode < 1002,
		a == Move && mode == 1002 && b == NoButton:
		return ""
	}
	n := int(b)
	if s.modes.mouse != 9 {
		n += int(m) << 2
	}
	if a == Move {
		n += 32
	}
	if s.modes.mouseText {
		end := 'M'
		if a == Release {
			end = 'm'
		}
		return fmt.Sprintf("\x1b[<%d;%d;%d%c", n, x+1, y+1, end)
	}
	if a == Release {
		n |= int(NoButton)
	}
	if x > 222 || y > 222 {
		return "" // beyond what the older form can say
	}
	return "\x1b[M" + string([]byte{byte(n + 32), byte(x + 33), byte(y + 33)})
}

// Wheel is what turning the wheel says while nothing takes the mouse and there
// is nothing to scroll: on the alternate screen it is the arrow keys.
func (s *Screen) Wheel(up bool) string {
	switch {
	case !s.Alternate():
		return ""
	case up:
		return s.Key(Up, 0)
	}
	return s.Key(Down, 0)
}
