# Reads from a pipe which process groups a program has started, "+ group" and
# "- group"; the first line is the token that their environment carries. When the
# pipe ends, so has the program, by whatever means: what is left is ended.
trap '' HUP INT QUIT TERM
read -r token || exit
groups=
while read -r sign group; do
	case $sign in
	+) groups="$groups $group" ;;
	-)
		others=
		for g in $groups; do [ "$g" = "$group" ] || others="$others $g"; done
		groups=$others
		;;
	esac
done

# marked prints the ids of the processes that carry the token.
marked() {
	if [ ! -r /proc/self/environ ]; then
		ps -AEww -o pid= -o command= | while read -r pid command; do
			case $command in *"$token"*) echo "$pid" ;; esac
		done
	elif printf 'a\0b' | grep -q -F b; then
		grep -l -s -F "$token" /proc/[0-9]*/environ | tr -dc '0-9\n'
	else # a grep that stops at a NUL
		for dir in /proc/[0-9]*; do
			tr '\0' '\n' <"$dir/environ" | grep -q -F "$token" && echo "${dir#/proc/}"
		done
	fi
}

# sweep sends a signal to what is left, and is false when nothing is.
sweep() {
	left=$(marked)
	for group in $groups; do kill -0 "-$group" && left="$left -$group"; done
	[ -n "$left" ] || return
	kill "-$1" $left
	true
}

sweep TERM || exit
for second in 1 2 3; do
	sleep 1
	sweep 0 || exit
done
for attempt in 1 2 3 4 5; do
	sweep KILL || exit
	sleep 1
done
