import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import type { TlsSettings } from '../../config/config.ts'
import type { ShowCertificates } from '../../domain/certificates/certificate-set.ts'
import type { StoredCertificate } from '../../ports/domains/certificate-store.ts'

/** What clients are shown. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** The host name it is shown for, `*.` for one label; absent: for all that have none of their own. */
  readonly serverName?: string
  /** Those it is good for. */
  readonly names: readonly string[]
}

/** Certificates that are not in files. */
export interface KeptCertificates {
  all(): readonly StoredCertificate[]
  /** Names how they are shown to clients. Until then nobody sees them. */
  showWith(show: ShowCertificates): void
}

/** A file that was named for TLS is not what it should be; the message says which and what. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
}

/** Rejects with a {@link CertificateError}. */
export async function readCertificates({
  byHost,
  ...standard
}: TlsSettings): Promise<Certificate[]> {
  return await Promise.all([
    readPair(standard),
    ...byHost.map(async ({ host, ...files }) => ({ ...(await readPair(files)), serverName: host })),
  ])
}

/** Those of the operator's files count before those that the service keeps for the same name. */
export function withKept(
  files: readonly Certificate[],
  kept: readonly StoredCertificate[],
): readonly Certificate[] {
  const named = new Set(files.map(({ serverName }) => serverName))
  const own = kept.filter(({ hostname }) => !named.has(hostname))
  return [
    ...files,
    ...own.map(({ hostname, chain, key }) => ({
      cert: chain,
      key,
      serverName: hostname,
      names: [hostname],
    })),
  ]
}

async function readPair({
  certificateFile,
  keyFile,
}: Omit<TlsSettings, 'byHost'>): Promise<Certificate> {
  const cert = await readText(certificateFile)
  const key = await readText(keyFile)
  const certificate = parse(certificateFile, 'a PEM certificate', () => new X509Certificate(cert))
  const privateKey = parse(keyFile, 'a PEM private key', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey))
    throw new CertificateError(
      `${keyFile} must be the key of the certificate in ${certificateFile}`,
    )
  return { cert, key, names: namesOf(certificate) }
}

const namesOf = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  subjectAltName
    .split(', ')
    .filter((name) => name.startsWith('DNS:'))
    .map((name) => name.slice('DNS:'.length).toLowerCase())

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new CertificateError(`${file} must be a file that can be read`, { cause })
  }
}

function parse<T>(file: string, what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new CertificateError(`${file} must be ${what}`, { cause })
  }
}
