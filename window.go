package main

import (
	"context"
	"errors"
)

// window opens the window on the configuration.
func (p *program) window(ctx context.Context) error {
	path, err := p.file()
	if err != nil {
		return err
	}
	_ = path
	return errors.New("the window is not there yet")
}
