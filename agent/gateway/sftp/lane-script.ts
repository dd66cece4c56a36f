/**
 * What a lane runs in the container: a loop over requests, in POSIX shell with coreutils or busybox. A request is a line:
 * a mark, a verb and up to three arguments in printf's %b escapes, so that no name is ever part of a program. Its answer
 * is what the verb prints, then a line of its own with the mark and the exit code. Its open file is descriptor 3, its
 * open directory the positional parameters. `true <file && exec <file`: a failing exec alone would end the shell.
 */
export const PAGE = 200;

/** Of `stat`: mode (hex), size, uid, gid, atime, mtime, links, names of owner and group. */
const FIELDS = "%f %s %u %g %X %Y %h %U %G";

export const LANE_SCRIPT = `
export LC_ALL=C
umask 022
cd "\${HOME:-/}" 2>/dev/null || cd /
decode() { printf '%bx' "$1"; }
fail() { echo "$1"; return 1; }
exists() { [ -e "$1" ] || [ -L "$1" ]; }
is_folder() { [ -d "$1" ] && ! [ -L "$1" ]; }
list_some() { i=0; for f; do [ $i -lt ${PAGE} ] || break; printf '%s\\0' "$f"; i=$((i + 1)); done; }
stat_some() {
  if command -v xargs >/dev/null; then list_some "$@" | xargs -0 stat -c "$format" --
  else i=0; for f; do [ $i -lt ${PAGE} ] || break; stat -c "$format" -- "$f"; i=$((i + 1)); done; fi
}
open_file() {
  [ -d "$a" ] && { fail 'Is a directory'; return; }
  [ -p "$a" ] && { fail 'Is a pipe'; return; }
  if [ "$b" = r ]; then true 3<"$a" && exec 3<"$a"; return; fi
  case $b in
    *x*) (umask "$c"; set -C; true >"$a") || return ;;
    *c*) [ -e "$a" ] || (umask "$c"; true >>"$a") || return ;;
    *) [ -e "$a" ] || { fail 'No such file or directory'; return; } ;;
  esac
  case $b in *t*) true >"$a" || return ;; esac
  case $b in
    *a*) true 3>>"$a" && exec 3>>"$a" ;;
    *) true 3<>"$a" && exec 3<>"$a" ;;
  esac
}
replace() {
  if is_folder "$b"; then
    is_folder "$a" || { fail 'Is a directory'; return; }
    rmdir -- "$b" || return
  elif [ -L "$b" ] && exists "$a"; then rm -f -- "$b" || return; fi
  mv -f -- "$a" "$b"
}
operate() {
  case $verb in
    home) pwd ;;
    stat) stat -L -c '${FIELDS}' -- "$a" ;;
    lstat) stat -c '${FIELDS}' -- "$a" ;;
    open) open_file ;;
    close) exec 3<&- ;;
    read) { [ "$a" = 0 ] || dd bs=1 skip="$a" count=0; dd bs="$b" count=1 iflag=fullblock; } </proc/self/fd/3 2>/dev/null ;;
    sync) dd if=/dev/null of=/proc/self/fd/3 conv=notrunc,fsync count=0 ;;
    chmod) chmod "$b" -- "$a" 2>/dev/null || chmod "$b" "$a" ;;
    chown) chown "$b" "$a" ;;
    touch) touch -a -d "@$b" "$a" 2>/dev/null; touch -m -d "@$c" "$a" 2>/dev/null || touch -d "@$c" "$a" ;;
    size) if [ -e "$a" ]; then dd if=/dev/null of="$a" bs=1 seek="$b" count=0; else fail 'No such file or directory'; fi ;;
    mkdir) mkdir -m "$b" -- "$a" ;;
    rmdir) rmdir -- "$a" ;;
    remove) if is_folder "$a"; then fail 'Is a directory'; else rm -- "$a"; fi ;;
    rename) if exists "$b"; then fail 'File exists'; else mv -- "$a" "$b"; fi ;;
    replace) replace ;;
    realpath) readlink -f -- "$a" ;;
    readlink) if [ -L "$a" ]; then readlink -n -- "$a"; else stat -- "$a" >/dev/null && fail 'Not a link'; fi ;;
    symlink) if exists "$b"; then fail 'File exists'; else ln -s -- "$a" "$b"; fi ;;
    link) if exists "$b"; then fail 'File exists'; else ln -- "$a" "$b"; fi ;;
    statvfs) stat -f -c '%S %s %b %f %a %c %d %l' -- "$a" ;;
  esac
}
while read -r mark verb a b c; do
  a=$(decode "$a") a=\${a%x} b=$(decode "$b") b=\${b%x} c=$(decode "$c") c=\${c%x}
  case $verb in
    write) { { [ "$a" = 0 ] || dd bs=1 seek="$a" count=0 conv=notrunc </dev/null; } && dd bs="$b" count=1 iflag=fullblock conv=notrunc; } 2>&1 1<>/proc/self/fd/3 ;;
    append) dd bs="$b" count=1 iflag=fullblock conv=notrunc 2>&1 1>>/proc/self/fd/3 ;;
    opendir)
      if [ ! -d "$a" ]; then stat -L -- "$a" </dev/null >/dev/null && fail 'Not a directory'
      elif [ ! -r "$a" ]; then fail 'Permission denied'
      else cd -- "$a" && set -- . .. * .[!.]* ..?*; fi ;;
    readdir)
      format="%n
$mark ${FIELDS}"
      stat_some "$@" </dev/null 2>/dev/null
      if [ $# -gt ${PAGE} ]; then shift ${PAGE}; else set --; fi
      [ $# -gt 0 ] ;;
    closedir) set --; cd / ;;
    *) operate </dev/null ;;
  esac 2>&1
  printf '\\n%s %s\\n' "$mark" "$?"
done`;
