import { createClient } from '../../client/client.ts'
import type { Client } from '../../client/types.ts'
import { type Command, exitCodes, type Terminal } from './command.ts'
import { type Connection, connectionOf } from './connection.ts'
import { type Options, parseWords } from './parse-words.ts'

const common = {
  url: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const satisfies Options

/** The options of every command that asks a service, for its usage. */
export const commonUsage = `  --url <url>          the service (SEDGE_URL; default: the current profile's, else
                       http://127.0.0.1:8788)
  --profile <name>     the profile to use (SEDGE_PROFILE)
  --json               print JSON`

export const commonExitCodes = `Exit codes: 0 done, 1 failed, 2 wrong use, 3 not permitted, 4 not there, 5 no service
answers.`

/** What a command works with. */
export interface Session {
  readonly client: Client
  readonly connection: Connection
  readonly terminal: Terminal
  readonly isJson: boolean
  /** The preview that files are read from and written to; what is live where left out. */
  readonly preview?: string
  /** Writes what was found or done: the value as JSON, or its text. */
  readonly print: (value: unknown, text: () => string) => void
}

type Parsed<O extends Options> = ReturnType<typeof parseWords<O & typeof common>>

interface Spec<O extends Options> extends Omit<Command, 'run'> {
  readonly options: O
  /** Looks at the words alone, and answers what is to be done; the service is not asked before. */
  readonly plan: (parsed: Parsed<O>) => (session: Session) => Promise<number | void>
}

/** A command that asks a running service. */
export const serviceCommand = <const O extends Options>({
  options,
  plan,
  ...described
}: Spec<O>): Command => ({
  ...described,
  async run(args, terminal) {
    const parsed = parseWords(args, { ...common, ...options })
    const act = plan(parsed)
    const { url, profile, json } = parsed.values as Readonly<Record<string, never>>
    const connection = await connectionOf({ url, profile }, terminal.environment)
    return (await act(openSession(connection, terminal, json === true))) ?? exitCodes.ok
  },
})

const openSession = (connection: Connection, terminal: Terminal, isJson: boolean): Session => ({
  client: createClient(connection),
  connection,
  terminal,
  isJson,
  print(value, text) {
    terminal.out.write(isJson ? `${JSON.stringify(value, undefined, 2)}\n` : text())
  },
})
