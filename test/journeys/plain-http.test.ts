import { join } from 'node:path'
import { expect, test } from 'bun:test'

import { ask } from '../fixtures/raw-request.ts'
import { makeCertificate, openssl } from '../support/certificates.ts'
import { freePorts } from '../support/free-port.ts'
import { have } from '../support/needs.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'

const challenge = 'GET /.well-known/acme-challenge/token HTTP/1.1'

test.skipIf(!have('plain HTTP beside TLS', openssl))(
  'whatever Host says, plain HTTP answers a challenge or sends to https, and never fails',
  async () => {
    await using directory = await temporaryDirectory()
    const own = makeCertificate(directory.path, 'own', 'own.example')
    const [port = 0] = freePorts(1)
    await using _service = await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        TLS_CERT_FILE: own.certificateFile,
        TLS_KEY_FILE: own.keyFile,
        HTTP_PORT: String(port),
        LOG_LEVEL: 'error',
      },
    })
    const redirect = await ask(port, 'GET /a?b=c HTTP/1.1', 'Host: own.example')
    expect([redirect.status, redirect.fields.get('location')]).toEqual([
      308,
      ['https://own.example/a?b=c'],
    ])
    expect((await ask(port, challenge, 'Host: own.example')).status).toBe(404)
    expect((await ask(port, challenge.replace('GET', 'POST'), 'Host: own.example')).status).toBe(
      404,
    )

    const hosts = ['own.example:99999', 'a b', '[::1', '', 'a,b', 'é', 'x'.repeat(3_000), '..', '@']
    for (const host of hosts)
      for (const line of [
        challenge,
        'GET / HTTP/1.1',
        'GET //x HTTP/1.1',
        'POST /api/x HTTP/1.1',
      ]) {
        const { status } = await ask(port, line, `Host: ${host}`)
        expect(status, `${line} of ${host.slice(0, 20)}`).toBeLessThan(500)
      }
  },
  60_000,
)
