package store

import "context"

// AddDelivery adds a delivery to a message that exists, and fills in what AddMessage would.
func (s *Store) AddDelivery(ctx context.Context, d *Delivery) error { panic("todo") }

// SaveDelivery writes the delivery that has d.ID; Message and Agent never change.
func (s *Store) SaveDelivery(ctx context.Context, d Delivery) error { panic("todo") }

// Pending returns the deliveries that are not final, oldest first.
func (s *Store) Pending(ctx context.Context) ([]Delivery, error) { panic("todo") }
