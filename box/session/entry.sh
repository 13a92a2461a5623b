# What the box runs: a tmux session with the lead of a Claude Code team in the
# window "main" and the Observer in its own, since panes of "main" are the
# team's. The session belongs to no terminal: those attach and detach.
#
#   entry.sh up        make the session; end when it ends
#   entry.sh idle      make none; end when one that came has ended
#   entry.sh session   make the session in a box that idles
#   entry.sh lead      (in tmux) the lead
#   entry.sh observer  (in tmux) the Observer

alive() { tmux has-session -t "=$session" 2>/dev/null; }

# size prints columns and rows: those of the terminal that the box is started
# from, else those of the box's own, else what fits most screens.
size() {
	local cols=${AGENTBOX_COLS:-0} rows=${AGENTBOX_ROWS:-0}
	if [ "$cols" -le 0 ] || [ "$rows" -le 0 ]; then
		read -r rows cols < <(stty size 2>/dev/null || echo 0 0)
	fi
	if [ "$cols" -le 0 ] || [ "$rows" -le 0 ]; then
		cols=200 rows=50
	fi
	echo "$cols $rows"
}

make_session() {
	local cols rows
	read -r cols rows < <(size)
	tmux -u new-session -d -s "$session" -n main -x "$cols" -y "$rows" \
		-e CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1 -e CLAUDE_CODE_NO_FLICKER=0 \
		bash "$0" lead &&
		tmux new-window -d -t "=$session:" -n observer bash "$0" observer
}

# lead runs Claude Code, and then asks: a window that closes with the program
# would take along what it said, and the box.
lead() {
	local key code
	while :; do
		"${claude[@]}"
		code=$?
		printf '\nClaude Code has ended (exit code %d). Enter: start it again, s: a shell, q: end the box ' "$code"
		until read -r key; do sleep 1; done
		case $key in
		q*) kill 1 ;; # which tells the script that made this session
		s*) bash ;;
		esac
	done
}

observer() {
	while :; do
		OBSERVER_PORT=$port AGENTBOX_SESSION=$session AGENTBOX_YOLO=$yolo AGENTBOX_PROJECT=$project \
			node /agentbox/observer.mjs
		echo "The Observer has ended (exit code $?). It starts again in 5 seconds."
		sleep 5
	done
}

# finish ends the agents, and gives them the time to take their team off the
# list in ~/.claude: when this script ends, the engine kills them. A teammate
# that writes to its lead once more makes the folder of the team again.
finish() {
	local teams team
	mapfile -t teams < <(grep -ls '"cwd": *"/workspace"' ~/.claude/teams/*/config.json)
	tmux kill-server 2>/dev/null
	for _ in {1..80}; do
		pgrep -x claude >/dev/null || break
		sleep 0.1
	done
	for team in "${teams[@]}"; do
		[ -e "$team" ] || rm -rf "${team%/config.json}"
	done
	exit 0
}

# await waits until a command fails, or the box is told to end.
await() {
	while "$@"; do
		sleep 1 &
		wait $!
	done
}
absent() { ! alive; }

trap finish TERM INT
case ${1:-up} in
up)
	make_session || exit
	await alive
	finish
	;;
idle)
	await absent
	await alive
	finish
	;;
session) alive || make_session || alive ;;
lead) lead ;;
observer) observer ;;
*)
	echo "entry.sh: unknown argument '$1'" >&2
	exit 2
	;;
esac
