//go:build linux

package observertest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// browser starts Chromium.
func browser(t testing.TB) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true), chromedp.WSURLReadTimeout(patience))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, done := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {})) // of events it does not know
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Error(err)
		}
		done()
		end()
	})
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// screen is what a page is looked at with.
type screen struct {
	width, height int64
	dark          bool
	language      string
}

var desk = screen{width: 1360, height: 820, language: "en-GB"}

// tab is an open page. What goes wrong on it fails the test.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu    sync.Mutex
	wrong []string
}

// open opens a page in a tab of its own.
func open(t testing.TB, browser context.Context, url string, with screen) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(browser)
	ctx, late := context.WithTimeout(ctx, 5*patience)
	x := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		late()
		closeTab()
	})
	chromedp.ListenTarget(ctx, func(event any) {
		x.mu.Lock()
		defer x.mu.Unlock()
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			x.wrong = append(x.wrong, event.ExceptionDetails.Error())
		case *cdplog.EventEntryAdded:
			if event.Entry.Source == cdplog.SourceSecurity || strings.Contains(event.Entry.Text, "Content Security Policy") {
				x.wrong = append(x.wrong, event.Entry.Text)
			}
		}
	})
	theme := "light"
	if with.dark {
		theme = "dark"
	}
	x.do(cdplog.Enable(),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
		emulation.SetDeviceMetricsOverride(with.width, with.height, 1, with.width < 500),
		emulation.SetUserAgentOverride("test").WithAcceptLanguage(with.language),
		emulation.SetTimezoneOverride("UTC"),
		chromedp.Navigate(url))
	return x
}

func (x *tab) do(actions ...chromedp.Action) {
	x.t.Helper()
	if err := chromedp.Run(x.ctx, actions...); err != nil {
		x.t.Fatal(err)
	}
}

// js returns what an expression of JavaScript is.
func js[T any](x *tab, expression string) T {
	x.t.Helper()
	var v T
	x.do(chromedp.Evaluate(expression, &v))
	return v
}

// until waits until an expression of JavaScript is true.
func (x *tab) until(expression string) {
	x.t.Helper()
	var is string
	x.do(chromedp.Evaluate(fmt.Sprintf(`new Promise((done) => {
		const end = Date.now() + %d;
		const look = () => { let is; try { is = (%s) } catch (e) { is = false } if (is) done(''); else if (Date.now() > end) done(document.body.innerText); else setTimeout(look, 20) };
		look();
	})`, patience.Milliseconds(), expression), &is, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if is != "" {
		x.t.Fatalf("never was: %s\nthe page says:\n%s", expression, is)
	}
}

// shows waits until an element says a text.
func (x *tab) shows(selector, text string) {
	x.t.Helper()
	x.until(fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.innerText.replace(/\s+/g, ' ').includes(%q))`, selector, text))
}

// fine fails the test if anything went wrong on the page.
func (x *tab) fine() {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, wrong := range x.wrong {
		x.t.Error(wrong)
	}
}

// scene is a box with a team in the middle of its work.
func scene(t testing.TB) *box {
	b := newBox(t)
	b.env = []string{"AGENTBOX_YOLO=1"}
	b.session()
	builder := b.pane("\x1b[32m●\x1b[0m Edit(src/retry.ts)\n  Updated with 4 additions\n")
	b.team(teamID, lead, member{Name: "builder", Pane: builder}, member{Name: "tester", Pane: b.pane("ready\n")}, member{Name: "scout", Pane: "%99"})
	b.add(lead, said("l", 41_000, "end_turn", text("I start.")))
	b.add(lead, sends("a", "team-lead", "builder", "Start with #2; the constant is in client/retry.ts.")...)
	b.add("builder",
		by(teamID, "builder", said("b", 18_000, "", text("Looking."))),
		by(teamID, "builder", said("c", 0, "tool_use", tool("edit", "Edit", object{"file_path": "/workspace/src/retry.ts", "old_string": "a", "new_string": "b"}))),
		by(teamID, "builder", done("edit", "Updated the file", object{"structuredPatch": []object{{"lines": []string{"+1", "+2", "+3", "+4", "-1", " 2"}}}})),
		by(teamID, "builder", said("d", 0, "", text("Both callers read the limit now."))),
		by(teamID, "builder", said("e", 0, "tool_use", tool("test", "Bash", object{"command": "npm test"}))))
	b.add("tester", by(teamID, "tester", heard("wait")), by(teamID, "tester", said("t", 9_000, "end_turn", text("Ready."))))
	b.add("scout", by(teamID, "scout", said("s", 3_000, "end_turn", text("Found."))))
	for id, task := range map[string]object{
		"1": {"subject": "Find the constants", "status": "completed", "owner": "scout"},
		"2": {"subject": "Retry limit in the config", "status": "in_progress", "owner": "builder"},
		"3": {"subject": "Write the docs", "description": "For people", "status": "pending", "blockedBy": []string{"2"}},
	} {
		task["id"] = id
		b.write("tasks/"+teamID+"/"+id+".json", task)
	}
	b.write("teams/"+teamID+"/inboxes/team-lead.json", []object{{"from": "builder", "timestamp": "2026-11-30T10:00:00.000Z", "text": compact(t, object{
		"type": "permission_request", "request_id": "1", "tool_name": "Bash", "tool_use_id": "test", "input": object{"command": "npm test"},
	})}})
	return b
}

func TestPage(t *testing.T) {
	t.Parallel()
	browser := browser(t)
	t.Run("TextIsText", func(t *testing.T) { showsTextAsText(t, browser) })
	t.Run("Reconnects", func(t *testing.T) { reconnects(t, browser) })
	b := scene(t)
	o := b.start(0)

	t.Run("Shows", func(t *testing.T) {
		x := open(t, browser, o.url+"#agent=builder", desk)
		for _, want := range [][2]string{
			{"#only", teamID}, {"#project", "/workspace"}, {"#yolo", "yolo"}, {"#synced", "synced"}, {"#open", "Search /"},
			{"#alive", "Team · 3 of 4 alive"},
			{"#members .a", "team-lead"}, {"#members .a", "Bash npm test 18k"}, {"#members .a", "tester idle"}, {"#members .a", "scout ghost: pane gone 3k"},
			{".ask", "builder asks permission to run npm test: answer in the lead's pane (window main, %0)."},
			{"h3", "Pending · 1"}, {"#pending .c", "#3 Write the docs blocked by #2"},
			{"h3", "In progress · 1"}, {"#in_progress .c", "#2 Retry limit in the config builder"},
			{"h3", "Completed · 1"}, {"#completed .c", "#1 Find the constants scout"},
			{"#messages .m", "team-lead → builder Start with #2; the constant is in client/retry.ts."}, {"#messages time", "10:00:01"},
			{"#panehead", "builder · pane %1 · live"}, {"#pane", "Updated with 4 additions"},
			{"#rows .m", "Edit src/retry.ts +4 −1"}, {"#rows .m", "Both callers read the limit now."}, {"#rows time", "10:00"},
		} {
			x.shows(want[0], want[1])
		}
		if color := js[string](x, `getComputedStyle(document.querySelector('#pane span')).color`); color != "rgb(92, 192, 141)" {
			t.Errorf("green is %s", color)
		}
		x.do(chromedp.Click(`#rows details:has(.in) summary`, chromedp.ByQuery))
		x.shows("#rows details[open] .in", "old_string")
		x.shows("#rows details[open] .in", "Updated the file")
		b.remove("tasks/" + teamID + "/1.json")
		x.shows("#completed .c", "deleted since")
		b.add("builder", by(teamID, "builder", said("f", 0, "", text("A row that is new."))))
		x.shows("#rows .m", "A row that is new.")
		if !js[bool](x, `document.querySelector('#rows details').open`) {
			t.Error("a row that was opened is closed again")
		}
		x.fine()
	})

	t.Run("French", func(t *testing.T) {
		x := open(t, browser, o.url, screen{width: 1360, height: 820, language: "fr-CA"})
		x.shows("#alive", "Équipe · 3 actifs sur 4")
		x.shows(".ask", "demande l’autorisation d’exécuter npm test")
		x.shows("#open", "Rechercher /")
		if lang := js[string](x, `document.documentElement.lang`); lang != "fr" {
			t.Errorf("the page's language is %q", lang)
		}
		x.fine()
	})

	t.Run("Keyboard", func(t *testing.T) {
		x := open(t, browser, o.url, desk)
		x.shows("#members .a[aria-pressed=true]", "team-lead")
		x.do(chromedp.KeyEvent("j"))
		x.shows("#members .a[aria-pressed=true]:focus", "builder")
		x.shows("#panehead", "builder · pane %1 · live")
		x.do(chromedp.KeyEvent("k"))
		x.shows("#panehead", "team-lead · pane %0 · live")
		// The browser would type a key that was pressed by a test.
		x.do(chromedp.Evaluate(`document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))`, nil))
		x.until(`document.activeElement.id === 'query'`)
		x.do(chromedp.KeyEvent("docs"))
		x.until(`document.querySelectorAll('.c').length === 1 && document.querySelectorAll('#members .a').length === 0`)
		x.shows("#nomessages", "Nothing found.")
		x.do(chromedp.KeyEvent("\x1b"))
		x.until(`document.querySelectorAll('.c').length === 3 && document.querySelectorAll('#messages .m').length === 1 && document.activeElement.id === 'open'`)
		x.do(chromedp.KeyEvent("?"))
		x.until(`document.getElementById('keys').open`)
		x.do(chromedp.KeyEvent("\x1b"))
		x.until(`!document.getElementById('keys').open`)
		x.fine()
	})

	t.Run("Filters", func(t *testing.T) {
		x := open(t, browser, o.url+"#agent=builder", desk)
		x.shows("#rows .m", "Looking.")
		x.do(chromedp.Evaluate(`what.value = 'tools'; what.onchange(); who.value = 'scout'; who.onchange()`, nil))
		x.until(`![...document.querySelectorAll('#rows .m')].some((e) => e.innerText.includes('Looking.')) && document.querySelectorAll('#rows .m').length === 2`)
		x.until(`document.querySelectorAll('#messages .m').length === 0`)
		x.do(chromedp.Evaluate(`who.value = ''; who.onchange()`, nil), chromedp.Click("#notices", chromedp.ByQuery))
		x.shows("#messages .m", "asks permission")
		x.fine()
	})

	for _, with := range []screen{{390, 844, false, "en"}, {390, 844, true, "fr"}, {820, 1100, true, "en"}, {1280, 900, false, "fr"}, {1280, 900, true, "en"}} {
		t.Run(fmt.Sprintf("Look %dx%d dark %v", with.width, with.height, with.dark), func(t *testing.T) {
			x := open(t, browser, o.url+"#agent=builder", with)
			views := []string{"team"}
			if with.width < 700 {
				views = []string{"team", "tasks", "messages", "agent"}
			}
			x.until(`document.querySelectorAll('#members .a').length === 4 && document.querySelectorAll('#rows .m').length > 3 && document.querySelector('.ask')`)
			for _, view := range views {
				x.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector('nav [data-view=%s]').click()`, view), nil))
				if faults := js[[]string](x, looks); len(faults) > 0 {
					t.Errorf("view %s: %s", view, strings.Join(faults, "\n"))
				}
			}
			x.fine()
		})
	}
}

// looks returns what is wrong with how a page looks: texts that can hardly be
// read, parts that do not fit, controls that are not named, and a question that
// nobody sees.
const looks = `(() => {
	const faults = [], light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, k, i) => sum + k * ((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)(c[i] / 255), 0);
	const rgb = (text) => text.match(/[\d.]+/g).map(Number), shown = (e) => e.checkVisibility() && e.getClientRects().length;
	for (const e of document.querySelectorAll('body *')) {
		if (!shown(e) || e.closest('#pane,script,option,.sr')) continue;
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
		let back = e;
		while (rgb(getComputedStyle(back).backgroundColor)[3] === 0 && back.parentElement) back = back.parentElement;
		const [a, b] = [light(rgb(getComputedStyle(e).color)), light(rgb(getComputedStyle(back).backgroundColor))];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) faults.push('contrast ' + ratio.toFixed(2) + ' of ' + e.textContent.slice(0, 40));
		const box = e.getBoundingClientRect();
		if (box.right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 40 && getComputedStyle(e).overflow === 'visible' && e.clientWidth) faults.push('sticks out: ' + e.textContent.slice(0, 40));
	}
	if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
	for (const e of document.querySelectorAll('button,select,input,[tabindex]')) if (shown(e) && !(e.getAttribute('aria-label') || e.innerText || e.closest('label')?.innerText)) faults.push('no name: ' + e.id);
	if (!shown(document.querySelector('.ask'))) faults.push('the question is not seen');
	if (innerWidth > 700) for (const e of document.querySelectorAll('aside,main,section')) if (e.getBoundingClientRect().width < 200) faults.push('too narrow: ' + e.tagName);
	return faults;
})()`

// showsTextAsText puts markup and scripts wherever a text of others stands.
func showsTextAsText(t *testing.T, browser context.Context) {
	evil := `<img src=x onerror="window.pwned=1"><svg onload=window.pwned=1></svg>${window.pwned=1}"'` + "`"
	name := strings.ReplaceAll(evil, "/", "")
	b := newBox(t)
	b.env = []string{"AGENTBOX_PROJECT=" + evil}
	b.session()
	script := `</script><script>window.pwned=1</script>`
	id := "<img src=x onerror=window.pwned=1>"
	b.team(id, lead, member{Name: evil, Pane: b.pane(evil + "\x1b]8;;javascript:window.pwned=1\x1b\\link\x1b]8;;\x1b\\" + script), Type: evil})
	b.add("m", by(id, evil,
		said(evil, 1, "", text(script+evil))),
		by(id, evil, said("m2", 1, "tool_use", tool("call", evil, object{"command": evil, "x": script}))),
		by(id, evil, done("call", script+evil, nil)),
		by(id, evil, heard(script)))
	for _, r := range sends("a", evil, "team-lead", script+evil) {
		b.add("m", by(id, evil, r.(object)))
	}
	b.add("m", by(id, evil, said("m3", 1, "tool_use", tool("call3", evil, object{"command": evil}))))
	b.write("tasks/"+id+"/1.json", object{"id": evil, "subject": evil, "description": script, "status": "pending", "owner": evil, "blockedBy": []string{evil}})
	b.write("tasks/"+id+"/__proto__.json", object{"subject": evil, "status": "in_progress", "activeForm": evil, "owner": "constructor"})
	b.write("teams/"+id+"/inboxes/team-lead.json", []object{
		{"from": evil, "text": evil, "summary": evil, "timestamp": evil, "color": evil},
		{"from": evil, "text": compact(t, object{"type": evil, "reason": script})},
		{"from": evil, "text": compact(t, object{"type": "permission_request", "request_id": "__proto__", "tool_use_id": "call3", "tool_name": evil, "input": object{"command": evil}})},
	})
	b.write("teams/"+id+"/inboxes/"+name+".json", []object{{"from": "team-lead", "text": script}})
	o := b.start(0)
	x := open(t, browser, o.url, desk)
	x.until(`document.querySelectorAll('#members .a').length === 2`)
	x.do(chromedp.Evaluate(`document.querySelectorAll('#members .a')[1].click(); notices.click()`, nil))
	for _, selector := range []string{"#project", "#members .a", ".ask", ".c", "#messages .m", "#rows .m", "#pane", "#panehead", "#only"} {
		x.shows(selector, "<img src=x onerror=")
	}
	x.shows("#rows .m", script)
	x.shows("#messages .m", script)
	if n := js[int](x, `document.querySelectorAll('body img, body svg, body a').length + (document.scripts.length - 1)`); n != 0 {
		t.Errorf("%d elements were made of texts", n)
	}
	if js[bool](x, `'pwned' in window`) {
		t.Error("a text was run as a script")
	}
	if title := js[string](x, `document.title`); title != "⚠ agentbox Observer" {
		t.Errorf("the title is %q", title)
	}
	x.fine()
}

// reconnects: a page whose Observer ends says so, and goes on when there is one
// again.
func reconnects(t *testing.T, browser context.Context) {
	b := newBox(t)
	b.team(teamID, lead)
	b.add(lead, said("m", 1, "end_turn", text("Before.")))
	o := b.start(0)
	x := open(t, browser, o.url, desk)
	x.shows("#rows .m", "Before.")
	o.stop()
	x.shows("#synced", "reconnecting…")
	x.shows("#rows .m", "Before.")
	b.add(lead, said("n", 1, "end_turn", text("Meanwhile.")))
	var port int
	if _, err := fmt.Sscanf(o.url, "http://127.0.0.1:%d/", &port); err != nil {
		t.Fatal(err)
	}
	b.start(port)
	x.shows("#rows .m", "Meanwhile.")
	x.shows("#synced", "synced")
	if n := js[int](x, `document.querySelectorAll('#rows .m').length`); n != 2 {
		t.Errorf("%d rows", n)
	}
}
