import { requestKindOf, type RequestLine } from '../../../ports/traffic/request-log-store.ts'
import { fault, type WrittenTerm } from './read-terms.ts'
import { literalOf, numberTest, statusTest, type Test, textTest } from './values.ts'

/** A condition, ready to be held against lines. */
export interface Condition {
  readonly matches: Test<RequestLine>
  /** Where it is about the status alone. */
  readonly ofStatus?: Test<number>
  /** What the text of every line that matches has in it. */
  readonly literal?: string | undefined
}

interface Word {
  readonly description: string
  readonly example: string
  readonly condition: (term: WrittenTerm) => Condition
}

const bytesUnits = { k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9 }

const numbered = (
  of: (line: RequestLine) => number,
  units: Readonly<Record<string, number>> = {},
): Word['condition'] => {
  return (term) => {
    const test = numberTest(term, units)
    return { matches: (line) => test(of(line)) }
  }
}

type TextOf = (line: RequestLine) => string | undefined

const named = (of: TextOf, options: { isExact?: boolean } = {}): Word['condition'] => {
  return (term) => {
    const test = textTest(term, options)
    return {
      matches: (line) => test(of(line) ?? ''),
      literal: options.isExact === true ? literalOf(term) : undefined,
    }
  }
}

const oneOf = (values: readonly string[], of: (line: RequestLine) => string): Word['condition'] => {
  return (term) => {
    const wanted = term.value.toLowerCase().split(',')
    if (!wanted.every((each) => values.includes(each)))
      throw fault(term.valuePosition, `must be one of ${values.join(', ')} after ${term.word}:`)
    return { matches: (line) => wanted.includes(of(line)) }
  }
}

const senderKinds = ['key', 'token', 'session', 'grant', 'nobody'] as const

/** Everything that can stand before a colon, in the order of its documentation. */
export const logWords: Readonly<Record<string, Word>> = {
  status: {
    description: 'The status, or a class of them',
    example: 'status:>=400, status:404,410, status:5xx, -status:304',
    condition(term) {
      const ofStatus = statusTest(term)
      return { matches: ({ status }) => ofStatus(status), ofStatus }
    },
  },
  method: {
    description: 'The method',
    example: 'method:PUT',
    condition: named(({ method }) => method),
  },
  zone: {
    description: 'The zone it was about',
    example: 'zone:acme',
    condition: named(({ zone }) => zone, { isExact: true }),
  },
  path: {
    description: 'The whole path, without what comes after `?`; `*` stands for anything',
    example: 'path:/acme/v1/*',
    condition: named(({ path }) => path, { isExact: true }),
  },
  ms: {
    description: 'Milliseconds until the response began',
    example: 'ms:>200, ms:>2s',
    condition: numbered(({ ms }) => ms, { s: 1_000 }),
  },
  bytes: {
    description: 'Bytes of the body',
    example: 'bytes:>1mb',
    condition: numbered(({ bytes }) => bytes, bytesUnits),
  },
  cache: {
    description: 'What the cache said; `none` where none was asked',
    example: 'cache:miss',
    condition: oneOf(['hit', 'miss', 'none'], ({ cache }) => cache ?? 'none'),
  },
  by: {
    description: 'With what somebody came: a key, a token, a session, an upload grant, or nothing',
    example: 'by:token, -by:session',
    condition: oneOf(senderKinds, ({ by }) => by?.kind ?? 'nobody'),
  },
  token: {
    description: 'The name of a token, or its id',
    example: 'token:ci',
    condition(term) {
      const test = textTest(term)
      const isToken = ({ by }: RequestLine) =>
        by?.kind === 'token' && (test(by.name ?? '') || test(by.id.slice('token:'.length)))
      return { matches: isToken }
    },
  },
  country: {
    description: 'The country of the client, two letters',
    example: 'country:DE,AT',
    condition: named(({ country }) => country),
  },
  network: {
    description: 'The network of the client, as the lines show it',
    example: 'network:192.0.2.*',
    condition: named(({ network }) => network),
  },
  code: {
    description: 'The code of the refusal',
    example: 'code:NotFound',
    condition: named(({ code }) => code),
  },
  id: {
    description: 'The id of the request',
    example: 'id:3f0c9a4e-…',
    condition: named(({ requestId }) => requestId, { isExact: true }),
  },
  referrer: {
    description: 'The host of the page that led here',
    example: 'referrer:*.example.org',
    condition: named(({ referrer }) => referrer),
  },
  agent: {
    description: 'The family of the browser or program',
    example: 'agent:curl',
    condition: named(({ agent }) => agent),
  },
  operation: {
    description: 'Of the API: the operation',
    example: 'operation:putFile',
    condition: named(({ operation }) => operation),
  },
}

/** Free text: anywhere in what a line says in words. */
export function freeText({ value }: WrittenTerm): Condition {
  const sought = value.toLowerCase()
  const says = (text: string | undefined) => text?.toLowerCase().includes(sought) === true
  return {
    matches: (line) =>
      [
        line.path,
        line.method,
        line.zone,
        line.requestId,
        line.code,
        line.reason,
        line.by?.name,
        line.referrer,
        line.agent,
        line.network,
        line.operation,
      ].some(says),
  }
}

/** The kinds in which a status that fits may be found. */
export function kindsFitting(tests: readonly Test<number>[]) {
  const statuses = Array.from({ length: 500 }, (_, place) => place + 100)
  const fitting = statuses.filter((status) => tests.every((test) => test(status)))
  return new Set(fitting.map(requestKindOf))
}
