/** A certificate with its chain, and its key. All PEM. */
export interface StoredCertificate {
  readonly hostname: string
  /** The certificate first, then whoever signed it, and so on. */
  readonly chain: string
  readonly key: string
  readonly validFrom: Date
  readonly validUntil: Date
}

/**
 * Certificates of the service's own, one a host name, and the key of its account at the authority. A
 * certificate and its key are kept and replaced together; once a change is answered it is durable.
 */
export interface CertificateStore {
  /** Replaces what was kept for the host name. */
  put(certificate: StoredCertificate): Promise<void>
  /** Whether or not there is one. */
  remove(hostname: string): Promise<void>
  /** By host name. What cannot be read, e.g. for want of the key it was encrypted with, is left out. */
  list(): Promise<readonly StoredCertificate[]>
  accountKey(): Promise<string | undefined>
  keepAccountKey(key: string): Promise<void>
}
