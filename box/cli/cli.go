// Package cli is the command line of agentbox: what it says, how flags and
// environment make a configuration, and what each command does with packages
// box/docker and box/session.
//
// It speaks English alone, as the contract that it implements.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"git.rickub.com/bots-garden/sidekicks/box/docker"
	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// The codes that agentbox ends with. "agentbox shell" ends with that of the shell.
const (
	exitFailed = 1
	exitUsage  = 2
)

// Run runs agentbox with its arguments, without the program's name, and
// returns its exit code: 0, 1 for a failure, 2 for wrong usage, and for the
// command shell the code of the shell.
func Run(argv []string) int {
	// A signal ends what is being done; the next one is final.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	p := &program{out: os.Stdout, err: os.Stderr}
	return p.run(ctx, argv)
}

// program is one run of agentbox.
type program struct {
	out, err io.Writer
	code     int // of the shell
	json     bool

	env    map[string]string
	cfg    types.Config
	docker *docker.Client
	engine docker.Engine
}

func (p *program) run(ctx context.Context, argv []string) int {
	root := p.root()
	root.SetArgs(argv)
	if !scan(argv) {
		return p.exit(root.ExecuteContext(ctx))
	}
	about, _, err := root.Find(argv)
	if err != nil {
		about = root
	}
	return p.exit(about.Help())
}

// scan tells whether help is asked for, whatever else is in the arguments.
func scan(argv []string) bool {
	if end := slices.Index(argv, "--"); end >= 0 {
		argv = argv[:end]
	}
	return slices.Contains(argv, "-h") || slices.Contains(argv, "--help")
}

func (p *program) exit(err error) int {
	if err == nil {
		return p.code
	}
	var known *types.Error
	if errors.As(err, &known) && known.Usage {
		p.code = exitUsage
	} else {
		p.code = exitFailed
	}
	if !errors.Is(err, errTold) {
		fmt.Fprintf(p.err, "agentbox: %v\n", err)
	}
	return p.code
}

// errTold is the failure of a command that has told about it already.
var errTold = errors.New("failed")

const about = `agentbox runs a team of Claude Code agents in one disposable Docker container,
the box: tmux with the lead in the window "main", where teammates open as panes,
and the Observer, a web page that shows what the team does, in another. The
current folder is /workspace in the box, and your ~/.claude is there too.

Ctrl-b d leaves the box running; agentbox comes back to it. In tmux, Claude
Code's own Ctrl-b is typed twice.`

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "agentbox [COMMAND] [FLAGS]",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE:          p.command((*program).up),
	}
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().BoolP("help", "h", false, "show this help")
	addFlags(root.PersistentFlags())
	root.SetFlagErrorFunc(badFlag)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help(p.out, c) })

	up := p.sub("up", "build the image if it is missing, start the box, attach to it (the default)", (*program).up,
		"What is running already is attached to as it is; flags that it was not started with are named.\n"+
			"Without a terminal, the box is started and left to run.")
	shell := p.sub("shell", "open bash in the box, which is started without agents if it does not run", (*program).shell,
		"The shell is not in tmux. Its exit code is that of agentbox. Without a terminal, it reads its commands from the input.")
	rebuild := p.sub("rebuild", "build the image anew with nothing of the old one, then do as up does", (*program).rebuild,
		"A box that runs is ended once the build has succeeded.")
	doctor := p.sub("doctor", "check the engine, the image, the folders, the port and the settings", (*program).doctor,
		"Each line that fails says what to do. The exit code is 1 when one is marked ✗.")
	doctor.RunE = p.command((*program).doctor, (*program).noConfig)
	doctor.Flags().BoolVar(&p.json, "json", false, "print the result as JSON")
	down := p.sub("down", "end the agents, then remove the box; caches and image stay", (*program).down,
		"It is no error when there is no box.")
	root.AddCommand(up, shell, rebuild, doctor, down)
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Hidden = true
		}
	}
	for _, c := range append(root.Commands(), root) {
		c.DisableFlagsInUseLine = true
	}
	return root
}

func (p *program) sub(name, short string, do func(*program, context.Context) error, more string) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [FLAGS]",
		Short: short,
		Long:  strings.ToUpper(short[:1]) + short[1:] + ".\n\n" + more,
		Args:  noArguments,
		RunE:  p.command(do),
	}
}

// command makes what a command runs of a method: the configuration comes
// first. When there is none, that is the end, unless otherwise says more.
func (p *program) command(do func(*program, context.Context) error, otherwise ...func(*program, context.Context, error) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		flags := map[string]string{}
		c.Flags().Visit(func(f *pflag.Flag) { flags[f.Name] = f.Value.String() })
		var err error
		p.env = environ()
		p.cfg, err = ResolveConfig(p.env, flags)
		p.docker = docker.New(c.Context())
		switch {
		case err == nil:
			return do(p, c.Context())
		case len(otherwise) > 0:
			return otherwise[0](p, c.Context(), err)
		}
		return err
	}
}

func addFlags(flags *pflag.FlagSet) {
	flags.String("workspace", "", "`FOLDER` to work on; the current one when left out (WORKSPACE)")
	flags.String("memory", "", "memory `LIMIT` of the box; 4g (MEM)")
	flags.String("cpus", "", "`NUMBER` of processors of the box; 4, or what the engine has (CPUS)")
	flags.String("port", "", "`PORT` of the Observer on this computer; 4317")
	flags.String("network", "", "network `MODE` of the build, such as host; Docker's own (DOCKER_NETWORK)")
	flags.String("gpus", "", "`WHICH` GPUs the box gets, such as all (Linux, NVIDIA); none")
	flags.Bool("yolo", false, "let the agents do everything without asking: mind that they may\nwrite ~/.claude, whose hooks run on this computer")
	flags.Bool("no-cache", false, "build the image anew with nothing of the old one (up, rebuild)")
}

func environ() map[string]string {
	env := map[string]string{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	return env
}

// say tells the person what is being done.
func (p *program) say(format string, args ...any) {
	fmt.Fprintf(p.err, format+"\n", args...)
}
