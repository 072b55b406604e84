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
import { secondsOf } from './time-span.ts'

const usage = `sedge grant create <path> [--type <type> …] [--max-bytes <bytes>] [--times <number>]
                    [--for <time>] [--origin <origin> …] [--overwrite]
sedge grant list [--zone <zone>]
sedge grant revoke <id>

Lets somebody without a key upload. create prints an url that takes a file by PUT or from
an HTML form, once; a path that ends in a slash is a directory, below which whoever uploads
names the file. The url is not shown again, and a grant ends with the token that made it.

  --type <type>        a media type or a range of them, e.g. image/* (may be given again);
                       the bytes decide, not the name
  --max-bytes <bytes>  how large a file may be
  --times <number>     how many files may be stored (1)
  --for <time>         how long it is good, e.g. 90s, 15m, 1h (default), 7d (the most)
  --origin <origin>    pages of this origin alone may use it (may be given again)
  --overwrite          a file that is there may be replaced
  --zone <zone>        list those of this zone alone
${commonUsage}

${commonExitCodes}`

interface Values {
  readonly type?: readonly string[] | undefined
  readonly origin?: readonly string[] | undefined
  readonly 'max-bytes'?: string | undefined
  readonly times?: string | undefined
  readonly for: string
  readonly overwrite?: boolean | undefined
  readonly zone?: string | undefined
}
type Act = (session: Session) => Promise<void>
type Plan = (rest: readonly string[], values: Values) => Act

export const grantCommand = serviceCommand({
  name: 'grant',
  aliases: ['grants'],
  summary: 'let somebody without a key upload',
  usage,
  options: {
    type: { type: 'string', multiple: true },
    origin: { type: 'string', multiple: true },
    'max-bytes': { type: 'string' },
    times: { type: 'string' },
    for: { type: 'string', default: '1h' },
    overwrite: { type: 'boolean' },
    zone: { type: 'string' },
  },
  plan: ({ values, positionals: [action, ...rest] }) =>
    namedAction(action, plans)(rest, values as Values),
})

type GrantRequest = Input<'createUploadGrant'>['body']

const plans: Readonly<Record<string, Plan>> = {
  create(rest, values) {
    const [path] = rest
    if (path === undefined || rest.length > 1) throw new UsageError('Name one file or directory')
    const terms = termsOf(path, values)
    const seconds = secondsOf(values.for)
    return async ({ client, terminal, isJson, print }) => {
      const expiresAt = new Date(Date.now() + seconds * 1000).toISOString()
      const made = await client.createUploadGrant({ body: { ...terms, ExpiresAt: expiresAt } })
      // The URL alone goes to standard output, so that it can be piped to where it belongs.
      if (!isJson)
        terminal.error.write(`Upload grant ${made.Id}, good until ${made.Grant.ExpiresAt}:\n`)
      print(made, () => `${made.Url}\n`)
    }
  },
  list(rest, { zone }) {
    if (rest.length > 0) throw new UsageError(`What is "${rest.join(' ')}"?`)
    return (session) => list(session, zone)
  },
  revoke(rest) {
    const [id] = rest
    if (id === undefined || rest.length > 1) throw new UsageError('Say which one: revoke <id>')
    return async ({ client, print }) => {
      const revoked = await client.revokeUploadGrant({ id })
      print(revoked, () => `${revoked.Message}\n`)
    }
  },
}

function termsOf(path: string, values: Values): GrantRequest {
  const times = wholeNumber(values.times, { name: 'times', min: 1, max: 10_000 })
  const maxBytes = wholeNumber(values['max-bytes'], {
    name: 'max-bytes',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  })
  return {
    ...(path.endsWith('/') ? { Prefix: path } : { Path: path }),
    ...(values.type && { Types: [...values.type] }),
    ...(values.origin && { Origins: [...values.origin] }),
    ...(maxBytes !== undefined && { MaxBytes: maxBytes }),
    ...(times !== undefined && { Times: times }),
    ...(values.overwrite === true && { Overwrite: true }),
  }
}

async function list({ client, print }: Session, zone: string | undefined): Promise<void> {
  const grants: Awaited<ReturnType<typeof client.listUploadGrants>>['Grants'] = []
  for (let page = 1; ; page += 1) {
    const asked = { page, per_page: 200, ...(zone !== undefined && { zone }) }
    const { Grants: listed, Pagination } = await client.listUploadGrants(asked)
    grants.push(...listed)
    if (page >= Pagination.TotalPages) break
  }
  print(grants, () =>
    grants
      .map(({ Id, Path, Prefix, Types, Stored, InProgress, Times, ExpiresAt }) => {
        const types = Types === null ? 'any type' : Types.join(', ')
        const uses = `${Stored} of ${Times} stored, ${InProgress} in progress`
        return `${Id}  ${printable(Path ?? Prefix ?? '')}\n  ${types}; ${uses}; until ${ExpiresAt}\n`
      })
      .join(''),
  )
}
