import {
  commonUsage,
  commonExitCodes,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { CommandError, exitCodes, UsageError } from '../support/command.ts'
import { namedAction, wholeNumber } from '../support/parse-words.ts'

const usage = `sedge s3-key create --zone <zone> … [--read-only] [--name <name>] [--days <1..365>]

Makes a key for clients of S3: each zone is a bucket. It is a token, too: sedge token list
shows it, sedge token revoke <id> ends it. The secret is not shown again.

  --zone <zone>        a zone it reaches (may be given again)
  --read-only          it reads and lists, and changes nothing
  --name <name>        what it is for (S3)
  --days <number>      how long it is good (365)
${commonUsage}

What create prints is as most clients take it: variables of the environment, and a section
of rclone.conf.

${commonExitCodes}`

interface Values {
  readonly zone?: readonly string[] | undefined
  readonly 'read-only'?: boolean | undefined
  readonly name: string
  readonly days?: string | undefined
}
type Act = (session: Session) => Promise<void>
type Plan = (rest: readonly string[], values: Values) => Act

export const s3KeyCommand = serviceCommand({
  name: 's3-key',
  aliases: ['s3-keys'],
  summary: 'make a key for clients of S3',
  usage,
  options: {
    zone: { type: 'string', multiple: true },
    'read-only': { type: 'boolean' },
    name: { type: 'string', default: 'S3' },
    days: { type: 'string' },
  },
  plan: ({ values, positionals: [action, ...rest] }) =>
    namedAction(action, plans)(rest, values as Values),
})

const plans: Readonly<Record<string, Plan>> = {
  create(rest, { zone: zones, 'read-only': isReadOnly = false, name, days }) {
    if (rest.length > 0)
      throw new UsageError(`What is "${rest.join(' ')}"? The zone goes with --zone`)
    if (zones === undefined) throw new UsageError('Say what it reaches: --zone <zone>')
    const expiresInDays = wholeNumber(days, { name: 'days', min: 1, max: 365 })
    const scopes = isReadOnly ? readScopes : ([...readScopes, 'storage:write'] as const)
    return async ({ client, connection, terminal, isJson, print }) => {
      const made = await client.createToken({
        body: {
          name,
          scopes: [...scopes],
          zones: [...zones],
          S3: true,
          ...(expiresInDays !== undefined && { expiresInDays }),
        },
      })
      const key = { ...keyOf(made), endpoint: endpointOf(connection.url) }
      if (!isJson)
        terminal.error.write(
          `Key ${made.id} of ${zones.join(', ')}, good until ${made.Token.expiresAt}; the secret is not shown again:\n`,
        )
      print({ ...made, Endpoint: key.endpoint }, () => linesOf(key))
    }
  },
}

/** The buckets that are listed to it are those it reaches. */
const readScopes = ['storage:read', 'zones:read'] as const

interface Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly endpoint: string
}

interface Made {
  readonly AccessKeyId?: string | undefined
  readonly SecretAccessKey?: string | undefined
}

function keyOf({ AccessKeyId, SecretAccessKey }: Made): Omit<Key, 'endpoint'> {
  if (AccessKeyId === undefined || SecretAccessKey === undefined)
    throw new CommandError('The service has no S3: it is older than this command', exitCodes.failed)
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey }
}

const endpointOf = (url: string): string => `${url.replace(/\/$/u, '')}/s3`

const linesOf = ({ accessKeyId, secretAccessKey, endpoint }: Key): string =>
  `AWS_ACCESS_KEY_ID=${accessKeyId}
AWS_SECRET_ACCESS_KEY=${secretAccessKey}
AWS_ENDPOINT_URL_S3=${endpoint}
AWS_REGION=auto
AWS_DEFAULT_REGION=auto

[sedge]
type = s3
provider = Other
access_key_id = ${accessKeyId}
secret_access_key = ${secretAccessKey}
endpoint = ${endpoint}
region = auto
`
