import type { DomainNotice, DomainStore } from '../../../ports/domains/domain-store.ts'
import type { DomainRecord } from '../../../ports/records/domain.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { byBytes, type MemoryDatabase } from '../content/memory-database.ts'

/** A DomainStore for tests and demos. */
export class MemoryDomainStore implements DomainStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async add(domain: DomainRecord, notice: DomainNotice): Promise<FeedEntry | undefined> {
    const { domainByHostname } = this.#database
    if (domainByHostname.has(domain.hostname)) return undefined
    domainByHostname.set(domain.hostname, structuredClone(domain))
    return this.#announce(notice)
  }

  async update(domain: DomainRecord, notice: DomainNotice): Promise<FeedEntry | undefined> {
    const { hostname, zone } = domain
    const known = this.#database.domainByHostname.get(hostname)
    if (known?.zone !== zone) return undefined
    const { createdAt } = known
    this.#database.domainByHostname.set(hostname, structuredClone({ ...domain, createdAt }))
    return this.#announce(notice)
  }

  async reschedule({ hostname, zone, nextCheckAt, failures }: DomainRecord): Promise<void> {
    const known = this.#database.domainByHostname.get(hostname)
    if (known?.zone !== zone) return
    this.#database.domainByHostname.set(hostname, { ...known, nextCheckAt, failures })
  }

  async remove(
    zone: string,
    hostname: string,
    notice: DomainNotice,
  ): Promise<FeedEntry | undefined> {
    const { domainByHostname } = this.#database
    if (domainByHostname.get(hostname)?.zone !== zone) return undefined
    domainByHostname.delete(hostname)
    return this.#announce(notice)
  }

  async find(hostname: string): Promise<DomainRecord | undefined> {
    return this.#database.domainByHostname.get(hostname)
  }

  async list(): Promise<readonly DomainRecord[]> {
    return [...this.#database.domainByHostname.values()].toSorted((a, b) =>
      byBytes(a.hostname, b.hostname),
    )
  }

  #announce({ feed, audit }: DomainNotice): FeedEntry | undefined {
    return this.#database.announce([feed], audit ? [audit] : [])[0]
  }
}
