package store

import "context"

// Search returns up to limit messages that hold every word of the query, in any order, the newest
// first. A word matches every word that begins with it, whatever case and accents. Everything
// but letters and digits only separates words.
func (s *Store) Search(ctx context.Context, query string, limit int) ([]Hit, error) { panic("todo") }
