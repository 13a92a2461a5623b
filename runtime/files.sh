# The files of an agent's folder, for Sidekicks: VERB FOLDER DIR NAME [MORE…]. DIR and NAME are an entry in the folder,
# already without "..", their bytes written as printf's %b takes them. It needs no more than a busybox has.
CDPATH='' QUOTING_STYLE=literal LC_ALL=C
export QUOTING_STYLE LC_ALL
umask 022
nl='
'

fail() {
	printf 'sidekicks: %s\n' "$1" >&2
	exit 1
}

# cannot says why the last command did not change the folder as it should; it has said more itself.
cannot() {
	[ -w . ] || fail denied
	fail "failed: $1"
}

exists() { [ -e "./$1" ] || [ -L "./$1" ]; }

# decode puts a name into $decoded, a line end at its end too.
decode() {
	decoded=$(printf '%b.' "$1")
	decoded=${decoded%.}
}

# enter goes into a folder, following symlinks, if it lies in the agent's.
enter() {
	if ! cd -P -- "./$1" 2>/dev/null; then
		[ -e "./$1" ] || fail missing
		[ -d "./$1" ] || fail notdir
		fail denied
	fi
	inside
}

inside() {
	case ${PWD%/}/ in
	"$root"*) ;;
	*) fail outside ;;
	esac
}

# follow goes to where $name leads if it is a symlink.
follow() {
	hops=0
	while [ -L "./$name" ]; do
		hops=$((hops + 1))
		[ $hops -le 40 ] || fail outside
		to=$(readlink -n "./$name"; echo .)
		to=${to%.}
		case $to in
		*/*) way=${to%/*}/ name=${to##*/} ;;
		*) way=./ name=$to ;;
		esac
		case $way in
		/*) ;;
		*) way=./$way ;;
		esac
		cd -P -- "$way" 2>/dev/null || fail outside
		inside
		case $name in
		'' | . | ..) enter "${name:-.}" && name=. ;;
		esac
	done
	[ $hops = 0 ] || exists "$name" || fail outside
}

# regular wants a file that can be read to its end.
regular() {
	[ -e "./$name" ] || fail missing
	[ -f "./$name" ] || fail notfile
}

# links tells which of the symlinks among its arguments lead out, or nowhere.
links() {
	for name; do
		[ -L "./$name" ] || continue
		( follow ) 2>/dev/null || printf '%s > ./%s' "$mark" "$name"
	done
}

verb=$1 folder=$2
decode "$3"
dir=$decoded
decode "$4"
name=$decoded
shift 4
cd -P -- "$folder" 2>/dev/null || { [ -e "$folder" ] && fail denied; fail missing; }
root=${PWD%/}/
format() { printf '%s %%f %%s %%Y %%n%s%s @ %%N' "$mark" "$nl" "$mark"; }

case $verb in
list)
	mark=$1
	enter "$dir"
	follow
	enter "$name"
	[ -r . ] || fail denied
	find . -mindepth 1 -maxdepth 1 -exec stat -c "$(format)" {} + 2>/dev/null ||
		{ command -v find && command -v stat; } >/dev/null || fail tools # else one has gone meanwhile
	printf '%s .' "$mark"
	# shellcheck disable=SC2035 # links takes names as they are
	[ -z "$(find . -mindepth 1 -maxdepth 1 -type l | head -c 1)" ] || links * .[!.]* ..?*
	;;
stat)
	mark=$1
	enter "$dir"
	exists "$name" || fail missing
	stat -c "$(format)" "./$name" || fail tools
	printf '%s .' "$mark"
	links "$name"
	;;
open)
	enter "$dir"
	follow
	regular
	[ -r "./$name" ] || fail denied
	echo ok
	exec cat "./$name"
	;;
receive) # what comes in, into a new file beside the one it is for
	enter "$dir"
	follow
	[ ! -e "./$name" ] || regular
	[ -w . ] || fail denied
	set -C
	cat >"./$1" || { rm -f "./$1"; cannot "the disk may be full"; }
	;;
replace) # by the file that came in, if it is whole
	enter "$dir"
	follow
	[ "$(wc -c <"./$1")" -eq "$2" ] || { rm -f "./$1"; cannot "it was cut short on the way"; }
	if [ -e "./$name" ]; then
		regular
		chmod "$(stat -c %a "./$name")" "./$1"
		chown "$(stat -c %u:%g "./$name")" "./$1" 2>/dev/null
	fi
	mv -f "./$1" "./$name" || { rm -f "./$1"; cannot "mv"; }
	;;
forget) # the file that came in
	enter "$dir"
	follow
	rm -f "./$1"
	;;
make)
	enter "$dir"
	! exists "$name" || fail exists
	mkdir "./$name" || cannot "mkdir"
	;;
rename) # to another DIR and NAME
	enter "$dir"
	exists "$name" || fail missing
	from=${PWD%/}/$name
	cd -P -- "$root" || fail missing
	decode "$1"
	enter "$decoded"
	decode "$2"
	! exists "$decoded" || fail exists
	mv -n "$from" "./$decoded" || cannot "mv"
	if [ -e "$from" ] || [ -L "$from" ]; then fail exists; fi
	;;
delete)
	enter "$dir"
	exists "$name" || fail missing
	rm -rf "./$name"
	! exists "$name" || cannot "rm"
	;;
esac
