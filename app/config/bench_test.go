package config

import (
	"fmt"
	"strings"
	"testing"
)

// team is a file of n agents with the keys of those in the specification's full
// example, all members of one channel.
func team(n int) []byte {
	var text, members strings.Builder
	text.WriteString("version: 1\nagents:\n")
	for i := range n {
		fmt.Fprintf(&text, "  - name: agent-%d\n    title: Agent %d\n    icon: \"🐮\"\n    description: Does the work of %d\n"+
			"    command: mm\n    args: [\"-acp\", \"-config\", \"agent.yaml\"]\n    workspace: ./agents/%d\n", i, i, i, i)
		fmt.Fprintf(&members, "agent-%d, ", i)
	}
	fmt.Fprintf(&text, "channels:\n  - name: all\n    agents: [%s]\n", strings.TrimSuffix(members.String(), ", "))
	return []byte(text.String())
}

// BenchmarkCheck reads and checks a file of 1,000 agents.
func BenchmarkCheck(b *testing.B) {
	data := team(1000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, problems := Parse(data, "config.yaml", anyProgram); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
}

// BenchmarkCheckWrong is BenchmarkCheck with a mistake in each agent.
func BenchmarkCheckWrong(b *testing.B) {
	data := []byte(strings.ReplaceAll(string(team(1000)), "command:", "comand:"))
	for b.Loop() {
		if _, problems := Parse(data, "config.yaml", anyProgram); len(problems) != 1000 {
			b.Fatal(len(problems))
		}
	}
}
