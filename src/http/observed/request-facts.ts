import { coarseNetworkOf } from '../../lib/net/address-list.ts'
import { namedAgentFamily } from '../../lib/text/agent-family.ts'
import type { RequestHead } from '../wire/request-head.ts'

/** What may be kept of a request in a log: nothing that opens anything, nothing that names a person. */
export interface RequestFacts {
  readonly method: string
  /** Without the query, where secrets are. */
  readonly path: string
  readonly network?: string
  /** The host of the page that led here. */
  readonly referrer?: string
  readonly agent?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Options {
  /** Who is really asking. */
  readonly clientOf: (request: RequestHead, peerAddress: string | undefined) => string
  /** Whether a part of that address is kept. */
  readonly keepsNetworks: boolean
}

const maxMethodLength = 20
const maxPathLength = 1_024
const maxHostLength = 253
const maxHeaderLength = 160

/** What tells why an answer was as it was. Credentials, cookies, signatures and names of people are in others. */
const keptHeaders = [
  'host',
  'accept',
  'accept-encoding',
  'content-type',
  'content-length',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'x-api-version',
] as const

/** So many user agents are remembered, of usual length; then all are forgotten. */
const maxKnownAgents = 1_000
const maxAgentLength = 300

export function createRequestFacts({ clientOf, keepsNetworks }: Options) {
  const familyByAgent = new Map<string, string | undefined>()

  function familyOf(agent: string | null): string | undefined {
    if (agent === null) return undefined
    if (agent.length > maxAgentLength) return namedAgentFamily(agent)
    if (!familyByAgent.has(agent)) {
      if (familyByAgent.size >= maxKnownAgents) familyByAgent.clear()
      familyByAgent.set(agent, namedAgentFamily(agent))
    }
    return familyByAgent.get(agent)
  }

  return (request: RequestHead, peerAddress: string | undefined): RequestFacts => {
    const { headers, method } = request
    const network = keepsNetworks ? coarseNetworkOf(clientOf(request, peerAddress)) : undefined
    const referrer = referrerHost(headers.get('referer'))
    const agent = familyOf(headers.get('user-agent'))
    return {
      method: method.slice(0, maxMethodLength),
      path: pathWithoutQuery(request.url),
      ...(network !== undefined && { network }),
      ...(referrer !== undefined && { referrer }),
      ...(agent !== undefined && { agent }),
      headers: keptOf(headers),
    }
  }
}

export type RequestFactsOf = ReturnType<typeof createRequestFacts>

function keptOf(headers: Headers): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = headers.get(name)
    if (value !== null) kept[name] = value.slice(0, maxHeaderLength)
  }
  return kept
}

/** The path of a URL as it may be logged. Nothing is parsed: each request may pass here. */
export function pathWithoutQuery(url: string): string {
  const scheme = url.indexOf('://')
  const start = scheme < 0 ? 0 : url.indexOf('/', scheme + 3)
  const path = start < 0 ? '/' : url.slice(start, start + maxPathLength)
  const end = path.indexOf('?')
  return end < 0 ? path : path.slice(0, end)
}

/** A page that is given by more than its origin says it without anything before the host. */
function referrerHost(referrer: string | null): string | undefined {
  const scheme = referrer?.indexOf('://') ?? -1
  if (referrer === null || scheme < 0 || scheme > maxSchemeLength) return undefined
  const rest = referrer.slice(scheme + 3, scheme + 3 + maxHostLength)
  const authority = rest.slice(0, /[/?#]/u.exec(rest)?.index ?? rest.length)
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
}

const maxSchemeLength = 20
