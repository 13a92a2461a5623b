package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode"
)

const (
	// Marks of SQLite around what it found. The index has no text with them.
	markStart, markEnd = '\x02', '\x03'

	// snippetWords and snippetRunes bound a snippet, the second since a word may be
	// a megabyte long.
	snippetWords = 24
	snippetRunes = 240

	// indexBatch is how many messages one write indexes or unindexes when there are
	// many, since each takes a while and the other processes wait.
	indexBatch = 200
)

// Search returns up to limit messages that hold every word of the query, in any
// order, the newest first. A word is found where one begins with it, whatever case
// and accents. All but letters and digits only separates words. Messages are found
// once they have ended.
func (s *Store) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	match := matchAll(query)
	if match == "" {
		return nil, nil
	}
	hits, err := collect(ctx, s.read, scanHit, `
		SELECT m.id, m.channel, m.author, m.created_at, snippet(search, char(2), char(3), '…', 0, ?)
		FROM search CROSS JOIN messages m ON m.id = search.docid
		WHERE search MATCH ? ORDER BY search.docid DESC LIMIT ?`, snippetWords, match, max(limit, 0))
	return hits, s.fail("search the history", err)
}

// matchAll returns the query as SQLite's search understands it: every word, as the
// beginning of one.
func matchAll(query string) string {
	words := strings.FieldsFunc(query, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co)
	})
	// In quotes, no word is an operator.
	for i, word := range words {
		words[i] = `"` + word + `*"`
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

func scanHit(rows *sql.Rows, h *Hit) error {
	var marked string
	err := rows.Scan(&h.Message, &h.Channel, &h.Author, (*instant)(&h.CreatedAt), &marked)
	h.Snippet, h.Marks = unmark(marked)
	return err
}

// unmark returns the text without the marks, on one line and of a bounded length,
// and where in it they were.
func unmark(marked string) (text string, marks [][2]int) {
	var out []rune
	for _, r := range strings.ToValidUTF8(marked, "\uFFFD") {
		switch {
		case r == markStart:
			marks = append(marks, [2]int{len(out), len(out)})
		case r == markEnd:
			if n := len(marks); n > 0 {
				marks[n-1][1] = len(out)
			}
		case unicode.IsSpace(r) || unicode.IsControl(r):
			if n := len(out); n > 0 && out[n-1] != ' ' {
				out = append(out, ' ')
			}
		default:
			out = append(out, r)
		}
	}
	return clip(out, marks)
}

// clip cuts the text so that the first mark stays in it.
func clip(text []rune, marks [][2]int) (string, [][2]int) {
	if len(text) <= snippetRunes {
		return string(text), marks
	}
	from := 0
	if len(marks) > 0 {
		from = max(0, min(marks[0][0]-snippetRunes/4, len(text)-snippetRunes))
	}
	to := from + snippetRunes
	var inside [][2]int
	for _, m := range marks {
		if m[0] < to {
			inside = append(inside, [2]int{m[0] - from, min(m[1], to) - from})
		}
	}
	return string(text[from:to]), inside
}

// index makes the message's text the one it is found by.
func (t *tx) index(id MessageID) error {
	_, err := t.exec(`REPLACE INTO search (docid, body)
		SELECT ?1, replace(replace(coalesce(group_concat(text, char(10)), ''), char(2), ' '), char(3), ' ')
		FROM (SELECT text FROM parts WHERE message = ?1 AND kind NOT IN (?2, ?3, ?4) ORDER BY seq)`,
		id, Thought, Tool, Plan)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE messages SET indexed = 1 WHERE id = ?", id)
	return err
}

// indexMissing indexes what is not: messages of before there was an index, and
// those whose writer was killed, as far as they came.
func (s *Store) indexMissing(ctx context.Context) error {
	for {
		batch, err := collect(ctx, s.conn, scanMessageID,
			"SELECT id FROM messages WHERE indexed = 0 LIMIT ?", indexBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		err = s.transact(ctx, func(t *tx) error {
			for _, id := range batch {
				if err := t.index(id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// unindex removes all messages of the channel from the index, by batches. Should
// the program end in between, the next Open indexes them again.
func (s *Store) unindex(ctx context.Context, channel ChannelID) error {
	for last, done := MessageID(0), false; !done; {
		err := s.update(ctx, "delete the channel from the index", func(t *tx) error {
			batch, err := collect(t.ctx, t.conn, scanMessageID,
				"SELECT id FROM messages WHERE channel = ? AND id > ? AND indexed = 1 ORDER BY id LIMIT ?",
				channel, last, indexBatch)
			for _, id := range batch {
				if _, err := t.exec("DELETE FROM search WHERE docid = ?", id); err != nil {
					return err
				}
				if _, err := t.exec("UPDATE messages SET indexed = 0 WHERE id = ?", id); err != nil {
					return err
				}
				last = id
			}
			done = len(batch) < indexBatch
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
