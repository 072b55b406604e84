import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import type { TlsSettings } from '../../config.ts'

/** In the form of `Bun.serve`. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  readonly serverName?: string
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
  return { cert, key }
}

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
