-- The files attached to a draft, a JSON list of paths; '' for none.

-- +goose Up
ALTER TABLE channels ADD COLUMN draft_files TEXT NOT NULL DEFAULT '';
