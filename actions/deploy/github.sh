#!/usr/bin/env bash
# What an event of GitHub asks for: a pull request is shown, made live when it is merged, and taken away when
# it is closed; anything else makes the directory live.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

event() { member "$GITHUB_EVENT_PATH" "$1"; }
output() { printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:-/dev/null}"; }

if [ -z "${SEDGE_TOKEN:-}" ]; then
  echo '::notice::Nothing is deployed: requests from forks are given no secrets'
  exit 0
fi

number=$(event pull_request.number)
if ! [[ $number =~ ^[0-9]+$ ]]; then
  words=()
  [ -z "${DEPLOY_PREVIEW:-}" ] || words=(--preview "$DEPLOY_PREVIEW")
  deploy "${words[@]}"
  output url "$(member "$work/deployed.json" url)"
  output preview "${DEPLOY_PREVIEW:-}"
  exit 0
fi

preview=${DEPLOY_PREVIEW:-pr-$number}
status=0
if [ "$(event action)" != closed ]; then
  deploy --preview "$preview" || status=$?
  if [ -s "$work/deployed.json" ]; then
    output url "$(member "$work/deployed.json" url)"
    output preview "$preview"
  fi
elif [ "$(event pull_request.merged)" = true ]; then
  promote "$preview" || status=$?
  output preview ''
else
  forget "$preview" || status=$?
fi
say github "$number"
exit "$status"
