import type { Input } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { namedAction, wholeNumber } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable } from '../support/table.ts'

const usage = `sedge token create --name <name> --scope <scope> … [--zone <zone> …] [--days <1..365>]
sedge token list
sedge token revoke <id>

Works on a running service. What create prints last is the secret; it is not shown
again. Without --zone a token reaches every zone.

  --name <name>        what it is for
  --scope <scope>      e.g. storage:write (may be given again)
  --zone <zone>        narrows it to this zone (may be given again)
  --days <number>      how long it is good (365)
${commonUsage}

Without a profile the key is taken from ACCOUNT_KEY, or from the data directory of a
service on this machine (DATA_DIR, default ./data).

${commonExitCodes}`

interface Values {
  readonly name?: string | undefined
  readonly scope: readonly string[]
  readonly zone?: readonly string[] | undefined
  readonly days?: string | undefined
}
type Act = (session: Session) => Promise<void>
type Plan = (rest: readonly string[], values: Values) => Act

export const tokenCommand = serviceCommand({
  name: 'token',
  aliases: ['tokens'],
  summary: 'create, list and revoke bearer tokens',
  usage,
  options: {
    name: { type: 'string' },
    scope: { type: 'string', multiple: true, default: [] },
    zone: { type: 'string', multiple: true },
    days: { type: 'string' },
  },
  plan: ({ values, positionals: [action, ...rest] }) =>
    namedAction(action, plans)(rest, values as Values),
})

type TokenRequest = Input<'createToken'>['body']

const plans: Readonly<Record<string, Plan>> = {
  create(rest, { name, scope, zone, days }) {
    if (rest.length > 0)
      throw new UsageError(`What is "${rest.join(' ')}"? The name goes with --name`)
    if (name === undefined) throw new UsageError('Name the token: --name <name>')
    if (scope.length === 0) throw new UsageError('Say what it is for: --scope <scope>')
    const expiresInDays = wholeNumber(days, { name: 'days', min: 1, max: 365 })
    const body = {
      name,
      scopes: scope,
      ...(zone === undefined ? {} : { zones: zone }),
      ...(expiresInDays === undefined ? {} : { expiresInDays }),
      // Whether there is such a scope is the service's to say.
    } as TokenRequest
    return async ({ client, terminal, isJson, print }) => {
      const made = await client.createToken({ body })
      const { Token: token } = made
      // The secret alone goes to standard output, so that it can be piped to where it belongs.
      if (!isJson) terminal.error.write(`Token ${token.id}, good until ${token.expiresAt}:\n`)
      print(made, () => `${token.secret}\n`)
    }
  },
  list: () => list,
  revoke(rest) {
    const [id] = rest
    if (id === undefined || rest.length > 1) throw new UsageError('Say which one: revoke <id>')
    return async ({ client, print }) => {
      const revoked = await client.revokeToken({ id })
      print(revoked, () => `${revoked.Message}\n`)
    }
  },
}

const list: Act = async ({ client, print }) => {
  const { Tokens: tokens } = await client.listTokens()
  print(tokens, () =>
    tokens
      .map(({ id, name, prefix, scopes, zones, expiresAt, lastUsedAt }) => {
        const reach = zones === null ? 'every zone' : zones.join(', ')
        const use = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`
        const facts = `${scopes.join(', ')} in ${reach}; until ${expiresAt}; ${use}`
        return `${id}  ${prefix}…  ${printable(name)}\n  ${facts}\n`
      })
      .join(''),
  )
}
