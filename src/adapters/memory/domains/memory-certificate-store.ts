import type {
  CertificateStore,
  StoredCertificate,
} from '../../../ports/domains/certificate-store.ts'
import { byBytes } from '../content/memory-database.ts'

/** A CertificateStore for tests. */
export class MemoryCertificateStore implements CertificateStore {
  readonly #certificateByHostname = new Map<string, StoredCertificate>()
  #accountKey: string | undefined

  async put(certificate: StoredCertificate): Promise<void> {
    this.#certificateByHostname.set(certificate.hostname, structuredClone(certificate))
  }

  async remove(hostname: string): Promise<void> {
    this.#certificateByHostname.delete(hostname)
  }

  async list(): Promise<readonly StoredCertificate[]> {
    return [...this.#certificateByHostname.values()].toSorted((a, b) =>
      byBytes(a.hostname, b.hostname),
    )
  }

  async accountKey(): Promise<string | undefined> {
    return this.#accountKey
  }

  async keepAccountKey(key: string): Promise<void> {
    this.#accountKey = key
  }
}
