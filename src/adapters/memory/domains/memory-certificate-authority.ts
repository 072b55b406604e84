import type {
  AuthorityError,
  CertificateAuthority,
  CertificateOrder,
} from '../../../ports/domains/certificate-authority.ts'
import type { StoredCertificate } from '../../../ports/domains/certificate-store.ts'

/** An authority for tests. What it signs nobody can verify. */
export class MemoryCertificateAuthority implements CertificateAuthority {
  readonly #now: () => Date
  readonly #lifetimeMs: number
  /** Every order there was, granted or not. */
  readonly orders: CertificateOrder[] = []
  readonly revoked: string[] = []
  /** While set, everything is answered with it. */
  fault: AuthorityError | undefined
  window: { readonly start: Date; readonly end: Date } | undefined
  /** Waited for before an order is granted. */
  examination: Promise<void> = Promise.resolve()

  constructor(options: { readonly now: () => Date; readonly lifetimeMs: number }) {
    this.#now = options.now
    this.#lifetimeMs = options.lifetimeMs
  }

  async issue(order: CertificateOrder): Promise<StoredCertificate> {
    this.orders.push(order)
    using _shown = order.publish(`token-${order.hostname}`, 'answer')
    await this.examination
    this.#refuse()
    const validFrom = this.#now()
    const validUntil = new Date(validFrom.getTime() + this.#lifetimeMs)
    const number = this.orders.length
    const { hostname } = order
    return { hostname, chain: `chain ${number}`, key: `key ${number}`, validFrom, validUntil }
  }

  async revoke({ chain }: StoredCertificate): Promise<void> {
    this.#refuse()
    this.revoked.push(chain)
  }

  async renewalWindow() {
    this.#refuse()
    return this.window
  }

  #refuse(): void {
    if (this.fault !== undefined) throw this.fault
  }
}
