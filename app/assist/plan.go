package assist

import (
	"errors"
	"fmt"
	"strings"

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
func Prepare(path string, f Form, options ...config.Option) (*Plan, error) {
	before, err := config.Read(path)
	if err != nil {
		return nil, err
	}
	entry, err := f.Entry()
	if err != nil {
		return nil, err
	}
	change, err := edit.Append(before, entry)
	if err != nil {
		return nil, faultOf(path, before, err)
	}
	after, problems := config.Parse(change.After, path, options...)
	if len(after.Agents) == 0 {
		return nil, faultOf(path, before, &edit.Error{Code: edit.Unsupported, Line: change.Line})
	}
	plan := &Plan{Path: path, Change: change, Agent: after.Agents[len(after.Agents)-1]}
	var wrong FieldErrors
	own := fmt.Sprintf("agents[%d].", len(after.Agents)-1)
	for _, problem := range problems {
		key, isOwn := strings.CutPrefix(problem.Path, own)
		switch {
		case !isOwn && problem.Severity == config.Error:
			return nil, faultOf(path, before, &config.InvalidError{Path: path, Problems: problems})
		case isOwn && problem.Severity == config.Error:
			wrong = append(wrong, &FieldError{Field: fieldOf(key), Err: problem})
		case isOwn:
			plan.Warnings = append(plan.Warnings, problem)
		}
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	if err := change.Verify(); err != nil {
		return nil, err
	}
	return plan, nil
}

// faultOf is err, unless the file as it is explains it: then its problems do.
func faultOf(path string, before []byte, err error) error {
	if _, problems := config.Parse(before, path); !config.Valid(problems) {
		return &config.InvalidError{Path: path, Problems: problems}
	}
	return err
}

// fieldOf is the field that a key of an entry is written from.
func fieldOf(key string) Field {
	if field, found := map[string]Field{
		"name": Name, "title": Title, "icon": Icon, "description": Description, "workspace": Workspace,
		"command": Program, "runtime.container": Container, "runtime.sandbox": Sandbox,
		"runtime.lifecycle.folder": LifecycleFolder,
	}[key]; found {
		return field
	}
	for prefix, field := range map[string]Field{
		"runtime.lifecycle.create": Create, "runtime.lifecycle.stop": Stop, "runtime.lifecycle.remove": Remove,
	} {
		if strings.HasPrefix(key, prefix) {
			return field
		}
	}
	return Arguments
}

// Write adds the entry: see [config.Save] for its errors.
func (p *Plan) Write() error { return config.Save(p.Path, p.Change) }

// FieldProblem returns what is wrong with a field according to an error of
// [Form.Entry] or [Prepare]; nil when it is right.
func FieldProblem(err error, field Field) error {
	var wrong FieldErrors
	if errors.As(err, &wrong) {
		for _, one := range wrong {
			if one.Field == field {
				return one
			}
		}
	}
	return nil
}
