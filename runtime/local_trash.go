package runtime

import (
	"context"
	"fmt"
	"io/fs"
)

// Delete moves an entry and all it holds to the system's trash. With a
// [*TrashError] it stays where it is: [LocalFiles.Erase] deletes it all the
// same.
func (f *LocalFiles) Delete(ctx context.Context, name string) error {
	return f.remove(name, func(at *spot) error {
		if err := f.trash(at); err != nil {
			return &TrashError{Name: name, Err: err}
		}
		return nil
	})
}

// Erase removes an entry and all it holds for good.
func (f *LocalFiles) Erase(ctx context.Context, name string) error {
	return f.remove(name, func(at *spot) error {
		return at.failed("delete", at.root.RemoveAll(at.name))
	})
}

func (f *LocalFiles) remove(name string, remove func(*spot) error) error {
	at, err := f.open(name, false)
	if err != nil {
		return err
	}
	defer at.Close()
	if at.name == "." {
		return at.failed("delete", fs.ErrInvalid)
	}
	if _, err := at.root.Lstat(at.name); err != nil {
		return at.failed("delete", err)
	}
	return remove(at)
}

// TrashError says that there is no trash for an entry, or that it did not take
// it.
type TrashError struct {
	Name string
	Err  error
}

func (e *TrashError) Error() string {
	return fmt.Sprintf("move %s to the trash: %v", e.Name, e.Err)
}

func (e *TrashError) Unwrap() error { return e.Err }
