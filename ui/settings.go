package ui

import (
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/ui/tokens"
)

// settingsNames is the column of the names in the settings.
const settingsNames = 110

// newSettingsButton opens what can be set of the window, and the way to the
// rest, which is in the file.
func newSettingsButton(w *window) *button {
	icon := canvas.NewImageFromResource(theme.NewColoredResource(theme.SettingsIcon(), tokens.Muted))
	icon.FillMode = canvas.ImageFillContain
	text := newCutLabel(w.text("system.Settings"), muted())
	b := newPressable(text.text, quiet, inset(4, 8), newLine(6, text, newFixed(14, 14, icon), text), w.openSettings)
	w.mark("settings", b)
	return b
}

// newFooter is the foot of the sidebar.
func newFooter(w *window) fyne.CanvasObject {
	b := newSettingsButton(w)
	return newColumn(0, insets{}, framed(inset(0, 8), ruler()), framed(inset(6, 8), newLine(8, b, b, w.takes.line)))
}

// settings are the dialog of that name.
type settings struct {
	w     *window
	shown *dialogView
}

// openSettings shows what can be set, and where the rest is.
func (w *window) openSettings() {
	s := &settings{w: w}
	ui := w.backend.Config().UI
	body := newColumn(10, insets{},
		s.row("settings.File", s.file()),
		s.row("settings.Theme", s.choice("theme", ui.Theme, []alternative{
			{value: tokens.System, title: w.text("settings.ThemeSystem")},
			{value: tokens.Light, title: w.text("settings.ThemeLight")},
			{value: tokens.Dark, title: w.text("settings.ThemeDark")},
		})),
		s.row("settings.Language", s.choice("language", ui.Language, []alternative{
			{value: "en", title: "English"}, {value: "fr", title: "Français"},
		})),
		s.row("system.Notify", s.notifications()),
	)
	s.shown = w.ask(dialog{title: w.text("system.Settings"), text: w.text("settings.Hint"), width: 560, body: body})
}

func (s *settings) row(id string, o fyne.CanvasObject) fyne.CanvasObject {
	name := framed(insets{7, 0, 0, 0}, newCutLabel(s.w.text(id), muted()))
	return &fyne.Container{Layout: named{settingsNames}, Objects: []fyne.CanvasObject{name, o}}
}

// file names the configuration file, and leads to it and to others.
func (s *settings) file() fyne.CanvasObject {
	w := s.w
	path := w.backend.Config().Path
	press := func(id, text string, do func()) *button {
		b := newButton(w.text(text), ordinary, do)
		w.mark("settings/"+id, b)
		return b
	}
	var recent *button
	recent = press("recent", "settings.Recent", func() { s.chooseRecent(recent) })
	return newColumn(8, insets{},
		framed(insets{7, 0, 0, 0}, newCutHint(w, newCutLabel(short(path), muted().in(tokens.Text)))),
		newWrap(8, 8,
			press("edit", "settings.Edit", func() { w.edit(path, 1) }),
			press("folder", "reload.ShowInFolder", func() { w.showInFolder(path) }),
			press("open", "settings.Open", s.chooseFile), recent,
		))
}

// chooseFile opens another configuration file.
func (s *settings) chooseFile() {
	w := s.w
	s.shown.leave()
	(&fileFinder{w: w, chosen: w.openConfig}).open(filepath.Dir(w.backend.Config().Path))
}

// chooseRecent opens one that was open lately. Those that are not there any
// more are shown as such, and forgotten when they are chosen.
func (s *settings) chooseRecent(under fyne.CanvasObject) {
	w := s.w
	w.bridge.outside(func() func() {
		recents, err := config.Recents()
		return func() {
			if w.stage() != s.shown.stage {
				return
			}
			if err != nil {
				s.shown.fail(err)
			}
			w.popUp(under, s.recentItems(recents))
		}
	})
}

func (s *settings) recentItems(recents []config.Recent) (items []menuItem) {
	w := s.w
	for _, r := range recents {
		item := menuItem{id: "recent/" + filepath.Base(r.Path), text: filepath.Base(r.Path), detail: short(filepath.Dir(r.Path))}
		switch {
		case r.Path == w.backend.Config().Path:
			item.checked, item.do = true, func() {}
		case r.Missing:
			item.detail = w.text("settings.Missing", "Folder", item.detail)
			item.do = func() { s.forget(r.Path) }
		default:
			item.do = func() {
				s.shown.leave()
				w.openConfig(r.Path)
			}
		}
		items = append(items, item)
	}
	if len(items) == 0 {
		items = []menuItem{{text: w.text("settings.NoRecent")}}
	}
	return items
}

// forget takes a file that is not there off the list, and says so.
func (s *settings) forget(path string) {
	s.w.bridge.outside(func() func() {
		err := config.Forget(path)
		if err == nil {
			err = errors.New(s.w.text("settings.Forgotten", "Path", short(path)))
		}
		return func() { s.shown.fail(err) }
	})
}

// choice is a key of "ui" in the file.
func (s *settings) choice(key, value string, offers []alternative) fyne.CanvasObject {
	w := s.w
	var shown *segments
	shown = newSegments(w, "settings/"+key, offers, value, func(chosen string) {
		if key == "language" {
			w.again = w.openSettings // in the other language
		}
		w.bridge.outside(func() func() {
			err := w.backend.SetUI(key, chosen)
			return func() {
				if err != nil {
					w.again = nil
					shown.set(value)
					s.shown.fail(err)
					return
				}
				value = chosen
			}
		})
	})
	return shown.object
}

// notifications are switches of what the desktop is told.
func (s *settings) notifications() fyne.CanvasObject {
	w := s.w
	list := newColumn(8, insets{6, 0, 0, 0})
	for _, k := range allNews {
		text := w.text("system.Notify." + string(k))
		on := newSwitch(text, !w.notifier.muted[k], func(bool) { w.notifier.toggle(k) })
		w.mark("settings/notify/"+string(k), on)
		says := newCutLabel(text, muted().in(tokens.Text))
		list.Add(newLine(8, says, says, on))
	}
	return list
}
