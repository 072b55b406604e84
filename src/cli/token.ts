import { parseArgs } from 'node:util'
import { z } from 'zod'

import { type Arguments, type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { findAccountKey } from './find-keys.ts'
import { callService } from './service-call.ts'

const usage = `sedge token create --name <name> --scope <scope> … [--zone <zone> …] [--days <1..365>]
sedge token list
sedge token revoke <id>

Works on a running service. What create prints last is the secret; it is not shown
again. Without --zone a token reaches every zone.

  --url <address>   where the service is (default http://127.0.0.1:8788)

The key is taken from ACCOUNT_KEY, or from the data directory of a service on this
machine (DATA_DIR, default ./data).

Exit codes: 0 done, 1 refused or not there, 2 wrong use.`

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

export const tokenCommand: Command = {
  name: 'token',
  summary: 'create, list and revoke bearer tokens',
  usage,
  async run(args, terminal) {
    const words = parse(args)
    const act = actionOf(words)
    const accountKey = await findAccountKey(terminal.environment)
    const call: Call = (method, path, body) =>
      callService({ url: words.url, accountKey, method, path, body })
    await act(call, terminal)
    return exitCodes.ok
  },
}

type Words = ReturnType<typeof parse>
type Act = (call: Call, terminal: Terminal) => Promise<void>

function parse(args: Arguments) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      scope: { type: 'string', multiple: true, default: [] },
      zone: { type: 'string', multiple: true },
      days: { type: 'string' },
      url: { type: 'string', default: 'http://127.0.0.1:8788' },
    },
  })
  const [action, ...rest] = positionals
  return { ...values, action, rest }
}

function actionOf(words: Words): Act {
  const { action, rest } = words
  if (action === 'create' && rest.length === 0) return create(words)
  if (action === 'list' && rest.length === 0) return list
  const [id] = rest
  if (action === 'revoke' && id !== undefined && rest.length === 1) return revoke(id)
  throw new UsageError('Say create, list or revoke <id>')
}

function create({ name, scope, zone, days }: Words): Act {
  if (name === undefined) throw new UsageError('Name the token: --name <name>')
  if (scope.length === 0) throw new UsageError('Say what it is for: --scope <scope>')
  if (days !== undefined && !/^\d{1,3}$/u.test(days))
    throw new UsageError('--days must be a whole number from 1 to 365')
  const request = {
    name,
    scopes: scope,
    ...(zone === undefined ? {} : { zones: zone }),
    ...(days === undefined ? {} : { expiresInDays: Number(days) }),
  }
  return async (call, { out, error }) => {
    const { Token: token } = created.parse(await call('POST', '/api/tokens', request))
    // The secret alone goes to standard output, so that it can be piped to where it belongs.
    error.write(`Token ${token.id}, good until ${token.expiresAt}:\n`)
    out.write(`${token.secret}\n`)
  }
}

const list: Act = async (call, { out }) => {
  const { Tokens: tokens } = listed.parse(await call('GET', '/api/tokens'))
  for (const { id, name, prefix, scopes, zones, expiresAt, lastUsedAt } of tokens) {
    const reach = zones === null ? 'every zone' : zones.join(', ')
    const use = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`
    out.write(`${id}  ${prefix}…  ${name}\n`)
    out.write(`  ${scopes.join(', ')} in ${reach}; until ${expiresAt}; ${use}\n`)
  }
}

const revoke =
  (id: string): Act =>
  async (call, { out }) => {
    const answer = await call('DELETE', `/api/tokens/${encodeURIComponent(id)}`)
    out.write(`${revoked.parse(answer).Message}\n`)
  }

const token = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  zones: z.array(z.string()).nullable(),
  expiresAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
const created = z.object({ Token: token.extend({ secret: z.string() }) })
const listed = z.object({ Tokens: z.array(token) })
const revoked = z.object({ Message: z.string() })
