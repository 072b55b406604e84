/** A call that works with the token and changes nothing, else one that says what it would do. */
const calls: readonly (readonly [scope: string, rest: string])[] = [
  ['assets:read', '/api/assets?per_page=5'],
  ['insights:read', '/api/insights/summary'],
  ['zones:read', '/api/core/zones'],
  ['logs:read', '/api/core/audit-logs?limit=5'],
  ['storage:read', '/api/assets/history?path=<zone>/v1/<file>'],
  ['rules:read', '/api/core/rules'],
  ['webhooks:read', '/api/webhooks'],
  ['tokens:read', '/api/tokens'],
  ['analytics:read', '/api/analytics'],
]

/** The command to try a token with, at the host that the dashboard is at. */
export function tryIt(secret: string, scopes: readonly string[], origin: string): string {
  const bearer = `-H 'Authorization: Bearer ${secret}'`
  const found = calls.find(([scope]) => scopes.includes(scope))
  if (found !== undefined) return `curl ${bearer} '${origin}${found[1]}'`
  if (scopes.includes('storage:write'))
    return `curl ${bearer} -T logo.svg '${origin}/api/storage/clients/<zone>/v1/logos/logo.svg'`
  const body = `-H 'Content-Type: application/json' -d '{"urls":["/<zone>/v1/<file>"]}'`
  return `curl ${bearer} ${body} '${origin}/api/purge'`
}
