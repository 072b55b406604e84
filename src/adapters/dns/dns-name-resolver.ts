import { promises } from 'node:dns'

import type { LookUp, NameResolver } from '../../ports/domains/name-resolver.ts'

interface Options {
  /** Addresses of name servers, with a port where it is not 53; empty: those of the system. */
  readonly servers: readonly string[]
}

const timeoutMs = 2_000
const maxTries = 3

/** What name servers answer where there is no such record. */
const absences = new Set(['ENOTFOUND', 'ENODATA'])

const reasons: Readonly<Record<string, string>> = {
  ETIMEOUT: 'the name servers did not answer in time',
  ECONNREFUSED: 'the name servers cannot be reached',
  ESERVFAIL: 'the name servers of the domain have a fault (SERVFAIL)',
  EREFUSED: 'the name servers refused to answer',
}

/** Asks name servers, up to three times where nobody waits for the answer. */
export class DnsNameResolver implements NameResolver {
  readonly #servers: readonly string[]

  constructor({ servers }: Options) {
    this.#servers = servers
  }

  async alias(hostname: string): Promise<LookUp> {
    const found = await look(this.#resolver().resolveCname(hostname))
    return found.kind === 'found' ? { ...found, values: found.values.map(plainName) } : found
  }

  async addresses(hostname: string): Promise<LookUp> {
    const resolver = this.#resolver()
    const answers = await Promise.all([
      look(resolver.resolve4(hostname)),
      look(resolver.resolve6(hostname)),
    ])
    const values = answers.flatMap((answer) => (answer.kind === 'found' ? answer.values : []))
    if (values.length > 0) return { kind: 'found', values }
    return answers.find(({ kind }) => kind === 'unknown') ?? { kind: 'none' }
  }

  async texts(name: string): Promise<LookUp> {
    const records = this.#resolver({ tries: 1 }).resolveTxt(name)
    return await look(records.then((found) => found.flat()))
  }

  /** A resolver remembers that there was no such name; a new one has to ask. */
  #resolver({ tries = maxTries } = {}): promises.Resolver {
    const resolver = new promises.Resolver({ timeout: timeoutMs, tries })
    if (this.#servers.length > 0) resolver.setServers([...this.#servers])
    return resolver
  }
}

const plainName = (name: string): string => name.toLowerCase().replace(/\.$/u, '')

async function look(asking: Promise<readonly string[]>): Promise<LookUp> {
  try {
    const values = await asking
    return values.length === 0 ? { kind: 'none' } : { kind: 'found', values }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error'
    if (absences.has(code)) return { kind: 'none' }
    return { kind: 'unknown', reason: reasons[code] ?? `the look-up failed with ${code}` }
  }
}
