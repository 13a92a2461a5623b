package app

import (
	"slices"
	"testing"
)

// Case C4: a mention is delivered, or said not to be; never taken out of code
// or an address.
func TestAddress(t *testing.T) {
	who := audience{members: []string{"alice", "bob-2"}, agents: []string{"alice", "bob-2", "carol"}, last: "bob-2"}
	for _, c := range []struct {
		text string
		want Addressing
	}{
		{"hello", Addressing{To: []string{"bob-2"}}},
		{"@alice hello", Addressing{To: []string{"alice"}}},
		{"@Alice hello", Addressing{To: []string{"alice"}}},
		{"@ALICE, hello", Addressing{To: []string{"alice"}}},
		{"hey (@alice)", Addressing{To: []string{"alice"}}},
		{"@alice's idea", Addressing{To: []string{"alice"}}},
		{"@alice: go", Addressing{To: []string{"alice"}}},
		{"@alice.", Addressing{To: []string{"alice"}}},
		{"@alice!?", Addressing{To: []string{"alice"}}},
		{"@alice— go", Addressing{To: []string{"alice"}}},
		{"@alice- go", Addressing{To: []string{"alice"}}},
		{"_@alice_ go", Addressing{To: []string{"alice"}}},
		{"*@alice* go", Addressing{To: []string{"alice"}}},
		{"« @alice » go", Addressing{To: []string{"alice"}}},
		{"“@alice” go", Addressing{To: []string{"alice"}}},
		{"ask @bob-2, then @alice and @bob-2", Addressing{To: []string{"bob-2", "alice"}}},
		{"@all stand up", Addressing{To: []string{"alice", "bob-2"}, All: true}},
		{"@carol hello", Addressing{NotMembers: []string{"carol"}}},
		{"@alice and @carol", Addressing{To: []string{"alice"}, NotMembers: []string{"carol"}}},
		{"@alicebob hello", Addressing{Unknown: "alicebob"}},
		{"@alcie hello", Addressing{Unknown: "alcie", Near: "alice"}},
		{"@alicé hello", Addressing{Unknown: "alicé"}},
		{"see @types/node", Addressing{To: []string{"bob-2"}}},
		{"mail alice@example.org", Addressing{To: []string{"bob-2"}}},
		{"mail x@alice", Addressing{To: []string{"bob-2"}}},
		{"mail x.@alice", Addressing{To: []string{"bob-2"}}},
		{"https://example.org/@alice", Addressing{To: []string{"bob-2"}}},
		{"[a](https://example.org/@alice)", Addressing{To: []string{"bob-2"}}},
		{"run `@alice` please", Addressing{To: []string{"bob-2"}}},
		{"``x @alice``", Addressing{To: []string{"bob-2"}}},
		{"look\n```\n@alice\n```\n", Addressing{To: []string{"bob-2"}}},
		{"look\n```\n@alice\n", Addressing{To: []string{"bob-2"}}},
		{"look\n\n    @alice\n", Addressing{To: []string{"bob-2"}}},
		{"`x` @alice `y`", Addressing{To: []string{"alice"}}},
		{"> @alice said", Addressing{To: []string{"alice"}}},
		{"@", Addressing{To: []string{"bob-2"}}},
		{"a @ b", Addressing{To: []string{"bob-2"}}},
		{"/alice:review this", Addressing{To: []string{"alice"}, Command: "review", Text: "/review this"}},
		{"/Alice:review", Addressing{To: []string{"alice"}, Command: "review", Text: "/review"}},
		{"/alice:review\nthis", Addressing{To: []string{"alice"}, Command: "review", Text: "/review\nthis"}},
		{"/carol:review", Addressing{NotMembers: []string{"carol"}, Command: "review", Text: "/review"}},
		{"/nobody:review", Addressing{Unknown: "nobody", Command: "review", Text: "/review"}},
		{"/review @alice", Addressing{To: []string{"alice"}, Command: "review"}},
		{"/home/me:x", Addressing{To: []string{"bob-2"}, Command: "home/me:x"}},
	} {
		if c.want.Text == "" {
			c.want.Text = c.text
		}
		got := address(c.text, who)
		if !slices.Equal(got.To, c.want.To) || !slices.Equal(got.NotMembers, c.want.NotMembers) ||
			got.Unknown != c.want.Unknown || got.Near != c.want.Near || got.All != c.want.All ||
			got.Command != c.want.Command || got.Text != c.want.Text {
			t.Errorf("%q:\n got %+v\nwant %+v", c.text, got, c.want)
		}
	}
}

func TestAddressByDefault(t *testing.T) {
	for _, c := range []struct {
		name string
		who  audience
		want []string
	}{
		{"the only member", audience{members: []string{"a"}, agents: []string{"a", "b"}}, []string{"a"}},
		{"who answered last", audience{members: []string{"a", "b"}, agents: []string{"a", "b"}, last: "b"}, []string{"b"}},
		{"the first, when nobody answered", audience{members: []string{"a", "b"}, agents: []string{"a", "b"}}, []string{"a"}},
		{"not who left the channel", audience{members: []string{"a"}, agents: []string{"a", "b"}, last: "b"}, []string{"a"}},
		{"not who left the file", audience{members: []string{"a", "b"}, agents: []string{"b"}, last: "a"}, []string{"b"}},
		{"the only one, who left the file", audience{members: []string{"a"}}, []string{"a"}},
		{"nobody", audience{agents: []string{"a"}}, nil},
	} {
		if got := address("hello", c.who); !slices.Equal(got.To, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got.To, c.want)
		}
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("@alice `x` <a@b.c> /alice:x")
	f.Add("```\n@a")
	who := audience{members: []string{"alice"}, agents: []string{"alice", "bob"}}
	f.Fuzz(func(t *testing.T, text string) {
		a := address(text, who)
		if len(a.To)+len(a.NotMembers) == 0 && a.Unknown == "" {
			t.Errorf("%q reaches nobody in silence", text)
		}
		for _, r := range Mentions(text) {
			if text[r[0]] != '@' {
				t.Errorf("%q: no mention at %v", text, r)
			}
		}
	})
}
