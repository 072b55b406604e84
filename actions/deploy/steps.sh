# What jobs of GitHub and GitLab do alike; to be sourced. Needs bash and Node 20.
#
# SEDGE_URL, SEDGE_TOKEN        the service, and what opens it
# DEPLOY_DIRECTORY, DEPLOY_ZONE what goes where
# DEPLOY_PREFIX, DEPLOY_DELETE, DEPLOY_COMMENT

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sedge() { node "$here/sedge.mjs" "$@"; }

# member <file> <name>: a member of a JSON file, one within another by a dot; nothing where it is not there.
member() {
  node -e '
    const [file, name] = process.argv.slice(1)
    const whole = JSON.parse(require("node:fs").readFileSync(file, "utf8"))
    const found = name.split(".").reduce((value, part) => value?.[part], whole)
    process.stdout.write(String(found ?? ""))' "$1" "$2"
}

# deploy [--preview <name>]: stores the directory. $work/deployed.json has the answer, $work/comment.md what to say.
deploy() {
  local words=(deploy "$DEPLOY_DIRECTORY" --zone "$DEPLOY_ZONE" --prefix "${DEPLOY_PREFIX:-v1}" "$@")
  [ "${DEPLOY_DELETE:-false}" != true ] || words+=(--delete)
  # Whoever calls looks at what comes of it, and so nothing ends by itself here.
  local status=0
  sedge "${words[@]}" --summary "$work/comment.md" --json >"$work/deployed.json" || status=$?
  [ ! -s "$work/deployed.json" ] || printf '%s\n' "$(member "$work/deployed.json" url)"
  return "$status"
}

# promote <name>: makes a preview live and removes it. Where it is gone (it expired) the directory is deployed.
promote() {
  local status=0
  sedge preview promote "$DEPLOY_ZONE" "$1" --delete --json >"$work/promoted.json" || status=$?
  case $status in
  0)
    printf '### Live\n\n%s added, %s changed, %s removed by preview `%s`.\n' \
      "$(member "$work/promoted.json" Added)" "$(member "$work/promoted.json" Changed)" \
      "$(member "$work/promoted.json" Removed)" "$1" | tee "$work/comment.md"
    ;;
  4)
    [ -d "$DEPLOY_DIRECTORY" ] || return "$status"
    echo "There is no preview \"$1\" any more: the directory is deployed as it is"
    status=0
    deploy || status=$?
    ;;
  6)
    printf '### Not live\n\nThese files were changed there, too, since preview `%s` was made or updated:\n\n%s\n' \
      "$1" "$(conflicts)" >"$work/comment.md"
    ;;
  esac
  return "$status"
}

# The first of the paths that both sides have changed, as a list.
conflicts() {
  node -e '
    const { conflicts } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))
    const lines = conflicts.slice(0, 50).map(({ Path }) => "- `" + Path.replace(/[\p{Cc}`]/gu, "\ufffd") + "`")
    process.stdout.write(lines.join("\n"))' "$work/promoted.json"
}

# forget <name>: removes a preview, which may be gone already.
forget() {
  local status=0
  sedge preview delete "$DEPLOY_ZONE" "$1" --yes || status=$?
  [ "$status" = 4 ] || [ "$status" = 0 ] || return "$status"
  printf 'Preview `%s` is removed.\n' "$1" >"$work/comment.md"
}

# say github|gitlab <number>: writes the comment, or changes the one that was written before.
say() {
  [ "${DEPLOY_COMMENT:-true}" = true ] && [ -s "$work/comment.md" ] || return 0
  if [ -z "${COMMENT_TOKEN:-}" ]; then
    echo 'Without a token nothing is said on the request'
    return 0
  fi
  # What is deployed is deployed, whether anybody can be told of it or not.
  node "$here/comment.mjs" "$1" "$2" "$work/comment.md" || echo 'The comment could not be written'
}
