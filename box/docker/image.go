package docker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"git.rickub.com/bots-garden/sidekicks/box/types"
)

// caFile is where the build context holds the certificates of a proxy.
const caFile = "box/ca.crt"

// Image is an image that exists.
type Image struct {
	ID     string
	Size   int64 // bytes
	Labels map[string]string
}

// Image returns the image of the configuration, nil when there is none.
func (c *Client) Image(ctx context.Context, name string) (*Image, error) {
	image := new(Image)
	err := c.ask(ctx, image, "image", "inspect", "--format",
		`{"id":{{json .Id}},"size":{{json .Size}},"labels":{{json .Config.Labels}}}`, name)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return image, nil
}

// Outdated says why the image must be built again for the configuration, ""
// when it need not.
func (i *Image) Outdated(cfg types.Config) (string, error) {
	recipe, err := recipe(cfg)
	if err != nil {
		return "", err
	}
	differs := func(label, value string) bool { return value != "" && i.Labels[label] != value }
	switch {
	case differs(types.LabelUID, strconv.Itoa(cfg.UID)) || differs(types.LabelGID, strconv.Itoa(cfg.GID)):
		return fmt.Sprintf("it was made for the user %s:%s, and you are %d:%d",
			i.Labels[types.LabelUID], i.Labels[types.LabelGID], cfg.UID, cfg.GID), nil
	case differs(types.LabelRecipe, recipe):
		return "it was made by another version of agentbox", nil
	case differs(types.LabelBase, cfg.BaseImage):
		return "BASE_IMAGE is another", nil
	case differs(types.LabelClaude, cfg.ClaudeVersion):
		return "CLAUDE_CODE_VERSION is another", nil
	}
	return "", nil
}

// Build builds the image; what the build prints goes to output. cfg.NoCache
// leaves nothing of an earlier build in it.
func (c *Client) Build(ctx context.Context, cfg types.Config, output func(line string)) error {
	args, err := buildArgs(cfg)
	if err != nil {
		return err
	}
	if err := c.run(ctx, types.BuildTime, output, args...); err != nil {
		return fmt.Errorf("build the image %s: %w", cfg.Image, err)
	}
	return nil
}

// buildArgs is the command line of a build, without what only one of the
// builders understands.
func buildArgs(cfg types.Config) ([]string, error) {
	recipe, err := recipe(cfg)
	if err != nil {
		return nil, err
	}
	args := []string{"build", "--force-rm", "--tag", cfg.Image, "--file", cfg.Dockerfile}
	argument := func(name, value, label string) {
		if value != "" {
			args = append(args, "--build-arg", name+"="+value)
		}
		args = append(args, "--label", label+"="+value)
	}
	argument("AGENT_UID", strconv.Itoa(cfg.UID), types.LabelUID)
	argument("AGENT_GID", strconv.Itoa(cfg.GID), types.LabelGID)
	argument("BASE_IMAGE", cfg.BaseImage, types.LabelBase)
	argument("CLAUDE_CODE_VERSION", cfg.ClaudeVersion, types.LabelClaude)
	args = append(args, "--label", types.LabelRecipe+"="+recipe)
	if cfg.BuildNetwork != "" {
		args = append(args, "--network", cfg.BuildNetwork)
	}
	if cfg.NoCache {
		args = append(args, "--no-cache")
	}
	return append(args, cfg.BuildContext), nil
}

// RemoveImage removes an image that a build replaced, unless something uses it.
func (c *Client) RemoveImage(ctx context.Context, id string) {
	_ = c.run(ctx, types.EndTime, nil, "image", "rm", id)
}

// recipe returns a name for what the image is built from. The certificates of
// a proxy are of the place where it is built, and the Observer is mounted.
func recipe(cfg types.Config) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(os.DirFS(cfg.BuildContext), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == caFile || name == filepath.Base(cfg.ObserverAsset) {
			return err
		}
		content, err := os.ReadFile(filepath.Join(cfg.BuildContext, name))
		fmt.Fprintf(sum, "%s %d\n%s", name, len(content), content)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read what the image is built from: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}

// WriteCA puts the certificates of cfg.CABundle where the build finds them.
func WriteCA(cfg types.Config) error {
	target := filepath.Join(cfg.BuildContext, caFile)
	if cfg.CABundle == "" {
		if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	certificates, err := os.ReadFile(cfg.CABundle)
	if err != nil {
		return types.Misused("name a file of certificates in PEM format with AGENTBOX_CA_BUNDLE, or unset it",
			"the certificates of AGENTBOX_CA_BUNDLE or NODE_EXTRA_CA_CERTS cannot be read: %v", err)
	}
	return os.WriteFile(target, certificates, 0o644)
}
