import type { StoredCertificate } from '../../ports/domains/certificate-store.ts'

/** The certificates in use, by host name, and whoever shows them to clients. */
export interface CertificateSet {
  get(hostname: string): StoredCertificate | undefined
  all(): readonly StoredCertificate[]
  set(certificate: StoredCertificate): void
  delete(hostname: string): void
  /** Answers once new connections are shown what is in the set now. */
  show(): Promise<void>
}

export type ShowCertificates = (certificates: readonly StoredCertificate[]) => Promise<void>

export function createCertificateSet(
  kept: readonly StoredCertificate[],
  show: ShowCertificates,
): CertificateSet {
  const certificateByHost = new Map(kept.map((each) => [each.hostname, each]))
  const all = () => [...certificateByHost.values()]
  return {
    get: (hostname) => certificateByHost.get(hostname),
    all,
    set: (certificate) => void certificateByHost.set(certificate.hostname, certificate),
    delete: (hostname) => void certificateByHost.delete(hostname),
    show: () => show(all()),
  }
}
