#!/usr/bin/env bash
# What a job of GitLab does: `preview` shows a merge request, `live` makes live what was merged, and `stop`
# takes away the preview of a request that was closed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

api="${CI_API_V4_URL:-}/projects/${CI_PROJECT_ID:-}"

# ask <path>: an answer of GitLab's interface in $work/answer.json; fails without a token that may ask.
ask() {
  [ -n "${COMMENT_TOKEN:-}" ] || return 1
  node -e '
    const [url, file] = process.argv.slice(1)
    const headers = { "PRIVATE-TOKEN": process.env.COMMENT_TOKEN }
    fetch(url, { headers, signal: AbortSignal.timeout(60_000) })
      .then(async (response) => {
        if (!response.ok) throw new Error(`GitLab answers ${response.status}`)
        require("node:fs").writeFileSync(file, await response.text())
      })
      .catch(({ message }) => {
        console.error(message)
        process.exitCode = 1
      })' "$api/$1" "$work/answer.json"
}

# The request that a commit of the default branch came by: GitLab knows it, and its own messages name it.
merged_request() {
  local number=
  if ask "repository/commits/$CI_COMMIT_SHA/merge_requests"; then
    number=$(member "$work/answer.json" 0.iid)
  fi
  [[ $number =~ ^[0-9]+$ ]] ||
    number=$(grep -oE '^See merge request .*![0-9]+$' <<<"${CI_COMMIT_MESSAGE:-}" | grep -oE '[0-9]+$' | tail -1 || true)
  printf '%s' "$number"
}

status=0
case ${1:-} in
preview)
  preview="pr-$CI_MERGE_REQUEST_IID"
  deploy --preview "$preview" || status=$?
  if [ -s "$work/deployed.json" ]; then
    printf 'SEDGE_PREVIEW_URL=%s\n' "$(member "$work/deployed.json" url)" >deploy.env
  fi
  say gitlab "$CI_MERGE_REQUEST_IID"
  ;;
live)
  number=$(merged_request)
  if [[ $number =~ ^[0-9]+$ ]]; then
    promote "pr-$number" || status=$?
    say gitlab "$number"
  else
    deploy || status=$?
  fi
  ;;
stop)
  # After a merge the job `live` still needs it, and takes it away itself.
  ask "merge_requests/$CI_MERGE_REQUEST_IID" || {
    echo 'Without a token it cannot be seen whether the request was merged: the preview goes when it expires'
    exit 0
  }
  if [ "$(member "$work/answer.json" state)" = closed ]; then
    forget "pr-$CI_MERGE_REQUEST_IID" || status=$?
    say gitlab "$CI_MERGE_REQUEST_IID"
  fi
  ;;
*)
  echo 'Say preview, live or stop' >&2
  exit 2
  ;;
esac
exit "$status"
