import type { LookUp, NameResolver } from '../../../ports/domains/name-resolver.ts'

/** Names for tests, kept in tables that may be changed at any time. */
export class MemoryNameResolver implements NameResolver {
  readonly aliasByName = new Map<string, string>()
  readonly addressesByName = new Map<string, readonly string[]>()
  readonly textsByName = new Map<string, readonly string[]>()
  /** While set, no look-up succeeds. */
  outage: string | undefined

  async alias(hostname: string): Promise<LookUp> {
    const alias = this.aliasByName.get(hostname)
    return this.#lookUp(alias === undefined ? [] : [alias])
  }

  async addresses(hostname: string): Promise<LookUp> {
    const name = this.aliasByName.get(hostname) ?? hostname
    return this.#lookUp(this.addressesByName.get(name) ?? [])
  }

  async texts(name: string): Promise<LookUp> {
    return this.#lookUp(this.textsByName.get(name) ?? [])
  }

  #lookUp(values: readonly string[]): LookUp {
    if (this.outage !== undefined) return { kind: 'unknown', reason: this.outage }
    return values.length === 0 ? { kind: 'none' } : { kind: 'found', values }
  }
}
