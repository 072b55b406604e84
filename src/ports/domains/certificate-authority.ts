import type { StoredCertificate } from './certificate-store.ts'

export interface CertificateOrder {
  readonly hostname: string
  /** The certificate that the new one takes the place of: then rate limits may not count it. */
  readonly replaces: StoredCertificate | undefined
  /** Shows the response to a challenge at its URL (RFC 8555 §8.3) until disposed. */
  publish(token: string, keyAuthorization: string): Disposable
}

/** Whoever signs certificates. All reject with an {@link AuthorityError} and nothing else. */
export interface CertificateAuthority {
  /** Proves that the host name is ours and answers with a certificate of a new key. */
  issue(order: CertificateOrder): Promise<StoredCertificate>
  /** Takes a certificate back; one that was taken back or has expired already is no failure. */
  revoke(certificate: StoredCertificate): Promise<void>
  /** When it would like the certificate to be renewed (RFC 9773); `undefined` where it does not say. */
  renewalWindow(
    certificate: StoredCertificate,
  ): Promise<{ readonly start: Date; readonly end: Date } | undefined>
}

export type AuthorityFault =
  /** It does not answer, or has a fault of its own: nothing about the domain is wrong. */
  | 'unavailable'
  /** Too much was asked of it. */
  | 'rate-limited'
  /** It will not sign until something is changed. */
  | 'refused'

/** Why there is no certificate. The message is for the owner of the domain. */
export class AuthorityError extends Error {
  override readonly name = 'AuthorityError'
  readonly fault: AuthorityFault
  /** How long it asks to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(
    fault: AuthorityFault,
    message: string,
    options: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.fault = fault
    this.retryAfterMs = options.retryAfterMs
  }
}
