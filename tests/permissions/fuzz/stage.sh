# Read by each bash before the text of a case. What is not a builtin ends in the log, as argv; nothing real is started:
# PATH leads nowhere, and the programs that run others are these functions.
FUNCNEST=6
command_not_found_handle() {
  note "$@"
  [[ $1 == *[02468] ]]
}
# In one write, which no other process breaks: a new line would end it.
note() { builtin printf '%s\0' "$#" "${@//$'\n'/$'\x01'}" >>"$FUZZ_LOG"; }
sudo() {
  note sudo "$@"
  while [[ $1 == -* ]]; do [[ $1 == -u ]] && shift; shift; done
  "$@"
}
env() {
  note env "$@"
  while [[ $1 == -* || $1 == *=* ]]; do [[ $1 == -u ]] && shift; shift; done
  "$@"
}
timeout() {
  note timeout "$@"
  while [[ $1 == -* ]]; do [[ $1 == -[sk] ]] && shift; shift; done
  shift
  "$@"
}
nice() {
  note nice "$@"
  while [[ $1 == -* ]]; do [[ $1 == -n ]] && shift; shift; done
  "$@"
}
nohup() {
  note nohup "$@"
  "$@"
}
xargs() {
  note xargs "$@"
  local holder item
  local -a items
  while [[ $1 == -* ]]; do
    [[ $1 == -I ]] && holder=$2
    [[ $1 == -[In] ]] && shift
    shift
  done
  (($# > 0)) || set -- echo
  while IFS= builtin read -r item; do
    if [[ -n $holder ]]; then "${@//"$holder"/"$item"}"; else items+=($item); fi
  done
  [[ -n $holder ]] || "$@" "${items[@]}"
}
find() {
  note find "$@"
  while (($# > 0)) && [[ $1 != -exec ]]; do shift; done
  shift
  local -a call=()
  while (($# > 0)) && [[ $1 != ';' && $1 != + ]]; do call+=("${1//'{}'/./k1}"); shift; done
  "${call[@]}"
}
bash() {
  note bash "$@"
  shell "$@"
}
sh() {
  note sh "$@"
  shell "$@"
}
shell() {
  if [[ $1 == -c ]]; then
    (
      code=$2
      shift 3
      builtin eval "$code"
    )
  elif [[ -p $1 ]]; then
    (builtin source "$1")
  elif [[ $# == 0 || $1 == -s ]]; then
    (builtin source /dev/stdin)
  fi
}
