package store

import (
	"context"
	"database/sql"
	"slices"
)

const deliveryColumns = "id, message, agent, state, reason, reason_args, command, since, answer, owner"

func scanDelivery(rows *sql.Rows, d *Delivery) error {
	return rows.Scan(&d.ID, &d.Message, &d.Agent, &d.State, &d.Reason, (*document)(&d.ReasonArgs),
		&d.Command, (*instant)(&d.Since), &d.Answer, &d.Owner)
}

// AddDelivery adds a delivery to a message that exists. It fills in ID and, when
// they are empty, State (Queued), Since and Owner.
func (s *Store) AddDelivery(ctx context.Context, d *Delivery) error {
	added := *d
	err := s.update(ctx, "add a delivery", func(t *tx) error {
		if _, err := t.touch(d.Message); err != nil {
			return err
		}
		return t.addDelivery(&added, s.owner)
	})
	if err == nil {
		*d = added
	}
	return err
}

func (t *tx) addDelivery(d *Delivery, owner string) error {
	if d.State == "" {
		d.State = Queued
	}
	if d.Owner == "" {
		d.Owner = owner
	}
	d.Since = orNow(d.Since)
	id, err := t.insert(`INSERT INTO deliveries
		(message, agent, state, reason, reason_args, command, since, answer, owner)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		d.Message, d.Agent, d.State, d.Reason, document(d.ReasonArgs), d.Command, instant(d.Since), d.Answer, d.Owner)
	d.ID = DeliveryID(id)
	return err
}

// SaveDelivery writes the delivery that has d.ID. Its Message and Agent never
// change, and an empty Owner is this Store.
func (s *Store) SaveDelivery(ctx context.Context, d Delivery) error {
	if d.Owner == "" {
		d.Owner = s.owner
	}
	return s.update(ctx, "save a delivery", func(t *tx) error {
		err := t.row(`UPDATE deliveries SET state = ?, reason = ?, reason_args = ?, command = ?, since = ?,
			answer = ?, owner = ? WHERE id = ? RETURNING message`,
			d.State, d.Reason, document(d.ReasonArgs), d.Command, instant(orNow(d.Since)), d.Answer, d.Owner, d.ID).
			Scan(&d.Message)
		if err != nil {
			return found(err)
		}
		_, err = t.touch(d.Message)
		return err
	})
}

// Delivery returns one delivery, or ErrNotFound.
func (s *Store) Delivery(ctx context.Context, id DeliveryID) (Delivery, error) {
	one, err := collect(ctx, s.read, scanDelivery, "SELECT "+deliveryColumns+" FROM deliveries WHERE id = ?", id)
	if err == nil && len(one) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Delivery{}, s.fail("read a delivery", err)
	}
	return one[0], nil
}

// Pending returns the deliveries that are not final, oldest first.
func (s *Store) Pending(ctx context.Context) ([]Delivery, error) {
	pending, err := pendingIn(ctx, s.read)
	return pending, s.fail("read the deliveries", err)
}

func pendingIn(ctx context.Context, from queryer) ([]Delivery, error) {
	return collect(ctx, from, scanDelivery, "SELECT "+deliveryColumns+
		" FROM deliveries WHERE state IN ('queued', 'starting', 'working') ORDER BY id")
}

// Abandoned takes over the unfinished deliveries whose owner is gone, and returns
// them: this Store is their owner from then on. Of several processes that ask, one
// gets each.
func (s *Store) Abandoned(ctx context.Context) ([]Delivery, error) {
	if s.locks == "" {
		return nil, nil
	}
	opening, err := s.locks.wait(ctx, openingLock)
	if err != nil {
		return nil, s.fail("look for abandoned deliveries", err)
	}
	defer opening.release()

	var abandoned []Delivery
	err = s.update(ctx, "take over abandoned deliveries", func(t *tx) error {
		pending, err := pendingIn(t.ctx, t.conn)
		if err != nil {
			return err
		}
		alive := map[string]bool{s.owner: true, "": false}
		abandoned = slices.DeleteFunc(pending, func(d Delivery) bool {
			is, known := alive[d.Owner]
			if !known {
				is = s.locks.alive(d.Owner)
				alive[d.Owner] = is
			}
			return is
		})
		for i := range abandoned {
			d := &abandoned[i]
			d.Owner = s.owner
			if err := t.must("UPDATE deliveries SET owner = ? WHERE id = ?", d.Owner, d.ID); err != nil {
				return err
			}
			if _, err := t.touch(d.Message); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return abandoned, nil
}
