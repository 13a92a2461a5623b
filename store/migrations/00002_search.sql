-- The index has its own copy of what can be found of a message, since that is
-- spread over parts. A message with indexed = 0 is indexed when the history opens.

-- +goose Up
CREATE VIRTUAL TABLE search USING fts4(
  body, tokenize=unicode61 "remove_diacritics=2", order=desc, prefix="1,2,3"
);
ALTER TABLE messages ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX messages_unindexed ON messages (id) WHERE indexed = 0;
