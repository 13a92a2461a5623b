# Ends in a container what an agent runs there, as soon as the input ends: when Sidekicks says so, or is gone itself.
# $1 is what to end, "PID:START …". A line of the input asks something:
#   look           a line for each process, as in /proc/PID/stat
#   words PID      the words of its command line, each after "="
#   own PID:START… what to end from now on
# Each answer ends with a line ".". It needs no more than a busybox has.
own=$1
trap '' HUP INT TERM

# mine puts what lives of the own processes and all they started into $found.
mine() {
	table=
	for path in /proc/[0-9]*; do
		{ read -r stat <"$path/stat"; } 2>/dev/null || continue
		# shellcheck disable=SC2086 # they are the fields behind the name
		set -- ${stat##*) }
		case $1 in
		Z | X) ;;
		*) table="$table ${path#/proc/}:$2:$4:${20}" ;; # its parent, session and start
		esac
	done
	found=' ' grown=yes
	while [ $grown = yes ]; do
		grown=no
		for row in $table; do
			pid=${row%%:*} row=${row#*:}
			parent=${row%%:*} row=${row#*:}
			session=${row%%:*} start=${row#*:}
			case $found in
			*" $pid "*) continue ;;
			esac
			case " $own $found" in
			*" $pid:$start "* | *" $session:"*) ;;
			*) case $found in
				*" $parent "* | *" $session "*) ;;
				*) continue ;;
				esac ;;
			esac
			found="$found$pid " grown=yes
		done
	done
	[ "$found" != ' ' ]
}

pause() { sleep 0.1 2>/dev/null || sleep 1; }

# send signals what is found, until it is gone or $2 pauses have passed.
send() {
	tries=$2
	while mine; do
		# shellcheck disable=SC2086 # they are several
		[ "$1" = KILL ] || [ "$tries" = "$2" ] && kill -"$1" $found 2>/dev/null
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		pause
	done
}

while read -r word rest; do
	case $word in
	look) cat /proc/[0-9]*/stat 2>/dev/null ;;
	words) tr '\0\n' '\n ' <"/proc/$rest/cmdline" 2>/dev/null | sed 's/^/=/' ;;
	own) own=$rest ;;
	pid) echo $$ ;;
	esac
	echo .
done

[ -z "$own" ] || send TERM 30 || send KILL 20 || for pid in $found; do
	echo "left $pid $(cut -c1-64 <"/proc/$pid/comm" 2>/dev/null)"
done
echo 'done'
