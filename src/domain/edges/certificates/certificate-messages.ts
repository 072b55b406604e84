import { createPrivateKey, X509Certificate } from 'node:crypto'

import type { StoredCertificate } from '../../../ports/domains/certificate-store.ts'
import { digestOf } from '../manifest/manifest-parts.ts'

/** What identifies a certificate without saying anything that is secret: SHA-256 of its chain, in hex. */
export const certificateDigest = ({ chain }: StoredCertificate): string => digestOf(chain)

interface ListMessage {
  readonly Certificates: Readonly<Record<string, string>>
}

/** Which certificates there are: digests by host name. */
export const writeDigests = (digestByHost: ReadonlyMap<string, string>): ListMessage => ({
  Certificates: Object.fromEntries(digestByHost),
})

/** Throws where `text` is not the JSON of a list. */
export const readDigests = (text: string): ReadonlyMap<string, string> =>
  new Map(Object.entries(parsed<ListMessage>(text).Certificates ?? {}))

interface CertificateMessage {
  readonly Hostname: string
  readonly Chain: string
  readonly Key: string
}

export const writeCertificate = ({
  hostname,
  chain,
  key,
}: StoredCertificate): CertificateMessage => ({ Hostname: hostname, Chain: chain, Key: key })

/**
 * Throws where `text` is not a certificate for that host name with its own key. When it is good is
 * read from the certificate itself. No error says anything of what was in the text.
 */
export function readCertificate(text: string, hostname: string): StoredCertificate {
  const { Hostname, Chain: chain = '', Key: key = '' } = parsed<CertificateMessage>(text)
  if (Hostname !== hostname) throw new CertificateMessageError('is for another host name')
  const certificate = attempt('has no PEM certificate', () => new X509Certificate(chain))
  const privateKey = attempt('has no PEM private key', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey))
    throw new CertificateMessageError('has the key of another certificate')
  if (certificate.checkHost(hostname) === undefined)
    throw new CertificateMessageError('has a certificate for other names')
  const { validFromDate: validFrom, validToDate: validUntil } = certificate
  return { hostname, chain, key, validFrom, validUntil }
}

/** What came is no certificate that can be shown. There is a key in the message: it is not repeated. */
export class CertificateMessageError extends Error {
  override readonly name = 'CertificateMessageError'

  constructor(what: string) {
    super(`What came as a certificate ${what}`)
  }
}

/** Of the members nothing is known yet. */
function parsed<T extends object>(text: string): Partial<T> {
  const value = attempt('is not JSON', () => JSON.parse(text) as unknown)
  if (typeof value === 'object' && value !== null) return value
  throw new CertificateMessageError('is no object')
}

/** The cause is left out: it may quote the text. */
function attempt<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw new CertificateMessageError(what)
  }
}
