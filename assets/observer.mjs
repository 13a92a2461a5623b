#!/usr/bin/env node
// The Observer: a page that shows what a team of Claude Code agents does in
// this box. One file, no dependency, Node 20 or newer. It reads what Claude
// Code writes and what tmux shows; it never writes a file and never types
// into a pane.
//
//   node observer.mjs
//
// The environment it is started with:
//
//   OBSERVER_PORT    port to listen on; 4317 when unset
//   OBSERVER_HOST    address to listen on; 0.0.0.0 when unset, for a published
//                    port reaches a box by its own address alone
//   OBSERVER_ALLOW   more host names a browser may ask for, with commas
//                    between; localhost, 127.0.0.1 and [::1] always may, with
//                    any port, so that a port published under another number works
//   CLAUDE_DIR       where Claude Code keeps its files; ~/.claude when unset
//   WORKSPACE        the project's folder in the box; /workspace when unset.
//                    Sessions started in other folders are not shown
//   AGENTBOX_SESSION tmux session of the team; agentbox when unset
//   AGENTBOX_YOLO    1 when the lead runs without asking for permission
//   AGENTBOX_PROJECT what the page calls the project; WORKSPACE when unset
//
// tmux finds its server by TMUX or TMUX_TMPDIR, as always. The process writes
// one line, "observer: http://127.0.0.1:<port>/", once it listens, and ends
// with exit code 1 and a line that says why when it cannot.
