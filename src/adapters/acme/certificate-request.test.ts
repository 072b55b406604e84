import { createPrivateKey, createPublicKey } from 'node:crypto'
import { expect, test } from 'bun:test'

import { openssl } from '../../../test/support/certificates.ts'
import { have } from '../../../test/support/needs.ts'
import { createCertificateRequest } from './certificate-request.ts'

const canRun = have('certificate requests read by another program', openssl)

test.skipIf(!canRun)('a request names its host alone, and is signed with its key', () => {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`
  for (const hostname of ['a.example', 'xn--bcher-kva.example', longest]) {
    const { der, keyPem } = createCertificateRequest(hostname)
    const { stdout, stderr } = Bun.spawnSync(
      ['openssl', 'req', '-inform', 'DER', '-noout', '-text', '-verify', '-pubkey'],
      { stdin: der },
    )
    const text = stdout.toString()

    expect(`${text}${stderr.toString()}`).toMatch(/verify OK/u)
    expect(text).toMatch(/Subject: *\n/u)
    expect(text).toContain(`DNS:${hostname}\n`)
    const publicKey = createPublicKey(createPrivateKey(keyPem))
    expect(text).toContain(publicKey.export({ type: 'spki', format: 'pem' }))
  }
})

test('every request has a new key', () => {
  const [one, other] = [1, 2].map(() => createCertificateRequest('a.example').keyPem)
  expect(one).not.toBe(other)
})
