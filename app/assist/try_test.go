package assist

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"git.rickub.com/bots-garden/sidekicks/agent"
	"git.rickub.com/bots-garden/sidekicks/agent/acp/fakeagent"
	"git.rickub.com/bots-garden/sidekicks/app/i18n"
	"git.rickub.com/bots-garden/sidekicks/runtime/process"
)

func TestMain(m *testing.M) {
	fakeagent.Main()
	goleak.VerifyTestMain(m)
}

// fake is an agent that does what a script says.
func fake(t *testing.T, script fakeagent.Script) agent.Spec {
	t.Helper()
	path, args, env := fakeagent.Command(script)
	variables := map[string]string{"GORACE": "atexit_sleep_ms=0"}
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		variables[name] = value
	}
	return agent.Spec{Name: "alice", Command: path, Args: args, Env: variables, Workspace: t.TempDir()}
}

func try(ctx context.Context, spec agent.Spec, times agent.Times) (Answer, error) {
	return Try(ctx, spec, agent.Environment{
		Path: func(context.Context) (process.Path, error) { return process.ParsePath(os.Getenv("PATH"), ""), nil },
		Base: os.Environ(),
	}, times)
}

func TestTry(t *testing.T) {
	answer, err := try(t.Context(), fake(t, fakeagent.Script{}), agent.DefaultTimes())
	if err != nil || answer.Name == "" || answer.Version == "" || answer.Took <= 0 {
		t.Errorf("got %+v, %v", answer, err)
	}
}

// Why an agent does not answer is told, with what it printed.
func TestTryFails(t *testing.T) {
	patient := agent.DefaultTimes()
	hasty := patient
	hasty.Initialize = 50 * time.Millisecond
	missing := fake(t, fakeagent.Script{})
	missing.Command, missing.Env = "no-such-program", nil
	for name, test := range map[string]struct {
		spec         agent.Spec
		times        agent.Times
		told, stderr string
	}{
		"missing": {missing, patient, "no-such-program", ""},
		"ends":    {fake(t, fakeagent.Script{On: map[string][]string{"initialize": {"log no key", "exit 3"}}}), patient, "3", "no key"},
		"hangs":   {fake(t, fakeagent.Script{On: map[string][]string{"initialize": {"hang"}}}), hasty, "initialize", ""},
		"refuses": {fake(t, fakeagent.Script{On: map[string][]string{"initialize": {"error -32603 not today"}}}), patient, "not today", ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := try(t.Context(), test.spec, test.times)
			var failed *TryError
			if !errors.As(err, &failed) {
				t.Fatalf("got %+v, %v", answer, err)
			}
			if told := i18n.For("en").Error(err); !strings.Contains(told, test.told) {
				t.Errorf("told %q", told)
			}
			if all := strings.Join(failed.Stderr, "\n"); !strings.Contains(all, test.stderr) {
				t.Errorf("stderr %q", all)
			}
		})
	}
}

func TestTryCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := try(ctx, fake(t, fakeagent.Script{On: map[string][]string{"initialize": {"hang"}}}), agent.DefaultTimes()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
