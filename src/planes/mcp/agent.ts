import type { AuthInfo } from '@modelcontextprotocol/server'

import type { Credential } from '../../http/access/authorize.ts'

/** Who calls through MCP, from where, and with what it may ask the interface in its own name. */
export interface Agent {
  /** The first that is good, in whose name it acts. */
  readonly credential: Credential
  /** All that are: an operator sends a key for each plane. */
  readonly credentials: readonly Credential[]
  /** Of the request that it sent: what is asked of the interface for it carries these and no others. */
  readonly headers: Readonly<Record<string, string>>
  /** Where it found the service, without a slash at the end. */
  readonly origin: string
  /** Where everybody finds it: as configured, else the same. */
  readonly baseUrl: string
  readonly peerAddress: string
  /** The network address that bounds are counted for. */
  readonly clientAddress: string
}

/** Credentials, and what says on whose behalf a proxy asks. No cookie: a browser must not lend its session. */
const handedOn = [
  'authorization',
  'accesskey',
  'accountkey',
  'x-api-key',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'user-agent',
  'traceparent',
] as const

export function headersOf({ headers }: Request): Readonly<Record<string, string>> {
  const found = handedOn.map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(
    found.filter((pair): pair is [(typeof pair)[0], string] => pair[1] !== null),
  )
}

/** As the package carries it to the tools. The secret itself stays in the headers. */
export const authInfoOf = (agent: Agent): AuthInfo => ({
  token: '',
  clientId: agent.credential.id,
  scopes: scopesOf(agent) === undefined ? [] : [...(scopesOf(agent) ?? [])],
  extra: { agent },
})

export function agentOf(info: AuthInfo | undefined): Agent {
  const agent = info?.extra?.['agent']
  if (agent === undefined) throw new Error('a request came without the agent that sent it')
  return agent as Agent
}

/** What a token was made for; `undefined` of a key, which opens all that its plane has. */
export const scopesOf = ({ credential }: Agent): ReadonlySet<string> | undefined =>
  credential.kind === 'token' ? credential.scopes : undefined

/** The zones that a token is narrowed to; `undefined` where it reaches all. */
export const zonesOf = ({ credential }: Agent): ReadonlySet<string> | undefined =>
  credential.kind === 'token' ? credential.zones : undefined
