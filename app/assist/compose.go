package assist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/consts"
	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/template"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/sirupsen/logrus"
	"gopkg.in/yaml.v3"
)

// Compose is a Compose file as "docker compose -f FILE config" understands it.
type Compose struct {
	Path     string // absolute
	Project  string // name of the project
	Services []Service
	// Unresolved names the variables that need a value before the names are
	// known, in the order of the file. They are asked for, and ReadCompose
	// called again with them; Services are empty until then.
	Unresolved []Variable
	// Warnings are localizable: a file for env_file that is missing…
	Warnings []error

	given map[string]string
}

// Variable is a variable of a Compose file without a value.
type Variable struct {
	Name string
	Hint string // what the file says after ":?", if anything
}

// Service is a service of a Compose file.
type Service struct {
	Name      string
	Container string   // name of its (first) container
	Image     string   // "" when it is built
	Profiles  []string // to be enabled for it and what it depends on
	Folder    string   // a folder of this computer at the same path in the container, "" for none

	shared []string // all such folders
}

// Sees checks that the container sees a file, such as the agent's
// configuration file, at its path on this computer. The error is localizable.
func (s Service) Sees(file string) error {
	for _, folder := range s.shared {
		if rest, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(rest) {
			return nil
		}
	}
	return &phrase{"assist.NotShared", map[string]any{"Service": s.Name, "Folder": filepath.Dir(file)}}
}

// ReadCompose reads a Compose file, with values for variables that neither
// the environment nor the .env file beside it has. The error is localizable.
func ReadCompose(ctx context.Context, path string, values map[string]string) (*Compose, error) {
	quiet()
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	c := &Compose{Path: path, given: maps.Clone(values)}
	if c.Unresolved, err = unresolved(ctx, path, values); err != nil || len(c.Unresolved) > 0 {
		return c, composeError(path, err)
	}
	options, err := composeOptions(path, values)
	if err != nil {
		return nil, composeError(path, err)
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return nil, composeError(path, err)
	}
	c.Project = project.Name
	for _, name := range project.ServiceNames() {
		service := project.Services[name]
		one := Service{
			Name:      name,
			Container: containerName(project, service),
			Image:     service.Image,
			Profiles:  profiles(project, name),
			shared:    sharedFolders(service),
		}
		if len(one.shared) > 0 {
			one.Folder = one.shared[0]
		}
		c.Services = append(c.Services, one)
		for _, file := range service.EnvFiles {
			if _, err := os.Stat(file.Path); err != nil && bool(file.Required) {
				c.Warnings = append(c.Warnings, &phrase{"assist.EnvFileMissing", map[string]any{"Service": name, "File": file.Path}})
			}
		}
	}
	if len(c.Services) == 0 {
		return nil, &phrase{"assist.NoService", map[string]any{"Path": path}}
	}
	return c, nil
}

// quiet keeps what the loader has to say from the terminal: nothing else uses
// its log.
var quiet = sync.OnceFunc(func() { logrus.SetOutput(io.Discard) })

// composeOptions say how to read a file as docker compose does, with all its
// profiles. The files of env_file may be missing.
func composeOptions(path string, values map[string]string, more ...cli.ProjectOptionsFn) (*cli.ProjectOptions, error) {
	var env []string
	for name, value := range values {
		env = append(env, name+"="+value)
	}
	return cli.NewProjectOptions([]string{path}, append([]cli.ProjectOptionsFn{
		cli.WithOsEnv, cli.WithEnv(env), cli.WithEnvFiles(), cli.WithDotEnv,
		cli.WithoutEnvironmentResolution, cli.WithProfiles([]string{"*"}),
	}, more...)...)
}

// containerName is the name of the first container of a service.
func containerName(project *types.Project, service types.ServiceConfig) string {
	if service.ContainerName != "" {
		return service.ContainerName
	}
	separator := "-"
	if old, err := strconv.ParseBool(project.Environment["COMPOSE_COMPATIBILITY"]); err == nil && old {
		separator = "_"
	}
	return strings.Join([]string{project.Name, service.Name, "1"}, separator)
}

// profiles are those to enable for a service and what it depends on: one is
// enough for each.
func profiles(project *types.Project, name string) []string {
	var enabled []string
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		service, found := project.Services[name]
		if seen[name] || !found {
			return
		}
		seen[name] = true
		if len(service.Profiles) > 0 && !slices.ContainsFunc(service.Profiles, func(p string) bool { return slices.Contains(enabled, p) }) {
			enabled = append(enabled, service.Profiles[0])
		}
		for _, needed := range slices.Sorted(maps.Keys(service.DependsOn)) {
			if service.DependsOn[needed].Required {
				visit(needed)
			}
		}
	}
	visit(name)
	return enabled
}

// sharedFolders are those that a service sees at the same path.
func sharedFolders(service types.ServiceConfig) []string {
	var folders []string
	for _, volume := range service.Volumes {
		if volume.Type != types.VolumeTypeBind || volume.Source != volume.Target {
			continue
		}
		if info, err := os.Stat(volume.Source); err == nil && info.IsDir() {
			folders = append(folders, volume.Source)
		}
	}
	return folders
}

// unresolved returns the variables without a value that docker compose would
// refuse to go without, and those that it would leave out of a name.
func unresolved(ctx context.Context, path string, values map[string]string) ([]Variable, error) {
	options, err := composeOptions(path, values,
		cli.WithInterpolation(false), cli.WithNormalization(false), cli.WithConsistency(false),
		cli.WithLoadOptions(loader.WithSkipValidation))
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	model, err := options.LoadModel(ctx)
	if err != nil {
		return nil, err
	}
	missing := missing{found: map[string]Variable{}, lookup: func(name string) (string, bool) {
		if value, found := options.Environment.Resolve(name); found || name != consts.ComposeProjectName {
			return value, found
		}
		return "project", true // there is always one
	}}
	missing.walk(model, false)
	var top struct{ Name string }
	if options.Environment[consts.ComposeProjectName] == "" && yaml.Unmarshal(content, &top) == nil {
		missing.walk(top.Name, true)
	}
	services, _ := model["services"].(map[string]any)
	for _, service := range services {
		if service, isMapping := service.(map[string]any); isMapping {
			missing.walk(service["container_name"], true)
			missing.walk(service["profiles"], true)
		}
	}
	place := func(v Variable) int { return strings.Index(string(content), v.Name) }
	return slices.SortedFunc(maps.Values(missing.found), func(a, b Variable) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Name, b.Name))
	}), nil
}

// missing collects variables that have no value.
type missing struct {
	lookup template.Mapping
	found  map[string]Variable
}

// walk looks into all texts of a value. Those that name something need every
// variable, the others only those that the file says are required.
func (m missing) walk(value any, names bool) {
	switch value := value.(type) {
	case string:
		m.text(value, names)
	case []any:
		for _, item := range value {
			m.walk(item, names)
		}
	case map[string]any:
		for _, item := range value {
			m.walk(item, names)
		}
	}
}

// variable is "$NAME", "${NAME}", or "${NAME:-default}" and its like.
var variable = regexp.MustCompile(`^\$\{?([A-Za-z_][A-Za-z0-9_]*)(?:(:?-)(.*)\})?`)

func (m missing) text(text string, names bool) {
	replace := func(written string, lookup template.Mapping, c *template.Config) (string, error) {
		// The loader takes all up to the last brace for one variable, and
		// then looks again.
		written, rest := cutVariable(written)
		m.text(rest, names)
		_, applied, err := template.DefaultReplacementAppliedFunc(written, lookup, c)
		var required *template.MissingRequiredError
		parts := variable.FindStringSubmatch(written)
		switch {
		case errors.As(err, &required):
			m.found[required.Variable] = Variable{Name: required.Variable, Hint: required.Reason}
		case err != nil || parts == nil:
		case parts[2] != "":
			if value, found := lookup(parts[1]); !found || value == "" && parts[2] == ":-" {
				m.text(parts[3], names)
			}
		case !applied && names && m.found[parts[1]].Name == "":
			m.found[parts[1]] = Variable{Name: parts[1]}
		}
		return "", nil
	}
	// What is wrong with the text otherwise is found when it is read for good.
	_, _ = template.SubstituteWithOptions(text, m.lookup, template.WithReplacementFunction(replace))
}

// cutVariable cuts a text after the brace that closes its first one.
func cutVariable(text string) (first, rest string) {
	open := 0
	for i, r := range text {
		switch r {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return text[:i+1], text[i+1:]
			}
		}
	}
	return text, ""
}

// ComposeError says that docker compose would not read a file either.
type ComposeError struct {
	Path string
	Err  error
}

func composeError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &ComposeError{path, err}
}

func (e *ComposeError) Error() string { return fmt.Sprintf("read %s: %v", e.Path, e.Err) }

func (e *ComposeError) Unwrap() error { return e.Err }

// Localize implements the errors of package i18n.
func (e *ComposeError) Localize() (string, map[string]any) {
	return "assist.ComposeUnreadable", map[string]any{"Path": e.Path, "Reason": strings.TrimSpace(e.Err.Error())}
}
