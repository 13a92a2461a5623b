-- Times are microseconds since 1970, 0 for none; JSON is text, '' for none.
-- Every write raises clock.revision by one and leaves the new number in the
-- messages it touched: this is how processes see what others wrote.

-- +goose Up
CREATE TABLE clock (
  revision INTEGER NOT NULL,
  channels INTEGER NOT NULL -- the revision of the last change of a channel
) STRICT;
INSERT INTO clock VALUES (0, 0);

CREATE TABLE channels (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT NOT NULL,
  folded      TEXT NOT NULL UNIQUE, -- the name without its case
  description TEXT NOT NULL,
  hops        INTEGER NOT NULL,
  position    INTEGER NOT NULL,
  read_up_to  INTEGER NOT NULL DEFAULT 0,
  draft       TEXT NOT NULL DEFAULT '',
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
  channel  INTEGER NOT NULL REFERENCES channels ON DELETE CASCADE,
  agent    TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (channel, agent)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  channel    INTEGER NOT NULL REFERENCES channels ON DELETE CASCADE,
  author     TEXT NOT NULL,
  kind       TEXT NOT NULL,
  hop        INTEGER NOT NULL,
  delivery   INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL,
  meta       TEXT NOT NULL,
  revision   INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_channel ON messages (channel, id);
CREATE INDEX messages_revision ON messages (revision);

CREATE TABLE removed ( -- messages deleted on their own, not with their channel
  message  INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_revision ON removed (revision);

CREATE TABLE parts (
  message    INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  seq        INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL,
  data       TEXT NOT NULL,
  text       TEXT NOT NULL,
  PRIMARY KEY (message, seq)
) STRICT;

CREATE TABLE deliveries (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  message     INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  agent       TEXT NOT NULL,
  state       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  reason_args TEXT NOT NULL,
  command     TEXT NOT NULL,
  since       INTEGER NOT NULL,
  answer      INTEGER NOT NULL,
  owner       TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_message ON deliveries (message);
CREATE INDEX deliveries_pending ON deliveries (id) WHERE state IN ('queued', 'starting', 'working');

CREATE TABLE sessions (
  channel    INTEGER NOT NULL REFERENCES channels ON DELETE CASCADE,
  agent      TEXT NOT NULL,
  id         TEXT NOT NULL,
  seen       INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (channel, agent)
) STRICT, WITHOUT ROWID;

CREATE TABLE commands (
  agent TEXT PRIMARY KEY,
  list  TEXT NOT NULL
) STRICT;
