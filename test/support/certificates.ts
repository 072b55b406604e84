import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import type { Need } from './needs.ts'

export const openssl: Need = {
  what: 'openssl',
  howToGetIt: 'apt-get install openssl',
  isThere: () => spawnSync('openssl', ['version']).status === 0,
}

export interface CertificateFiles {
  readonly certificateFile: string
  readonly keyFile: string
}

/** A certificate for one host name, signed by itself, good for a day. Over what was there before. */
export function makeCertificate(directory: string, name: string, host: string): CertificateFiles {
  const files = {
    certificateFile: join(directory, `${name}.pem`),
    keyFile: join(directory, `${name}.key`),
  }
  const self = ['req', '-x509', '-days', '1', '-newkey', 'ec']
  const key = ['-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', files.keyFile]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const words = [...self, ...key, ...subject, '-out', files.certificateFile]
  const { status, stderr } = spawnSync('openssl', words)
  if (status !== 0) throw new Error(`openssl failed: ${String(stderr)}`)
  return files
}
