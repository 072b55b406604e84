import { expect, test } from 'bun:test'
import { request } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'

import { makeCertificate, openssl } from '../support/certificates.ts'
import { have } from '../support/needs.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const overTls = { tls: { rejectUnauthorized: false } }

/** A response, and the name in the certificate that was shown for it. */
async function ask(url: string, servername: string) {
  const { promise, resolve, reject } = Promise.withResolvers<readonly [number, string, string]>()
  const options = { servername, headers: { Host: servername }, rejectUnauthorized: false }
  const sent = request(url, options, (response) => {
    const { CN } = (response.socket as TLSSocket).getPeerCertificate().subject
    let body = ''
    response.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    response.on('end', () => resolve([response.statusCode ?? 0, body, String(CN)]))
  })
  sent.on('error', reject).end()
  return await promise
}

if (have('TLS of previews', openssl))
  test('each preview is had over TLS by the one certificate of all their host names', async () => {
    await using directory = await temporaryDirectory()
    const own = makeCertificate(directory.path, 'own', 'cdn.example')
    const all = makeCertificate(directory.path, 'previews', '*.previews.example')
    await using service = await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        BASE_URL: 'https://cdn.example',
        PREVIEW_HOST: 'previews.example',
        TLS_CERT_FILE: own.certificateFile,
        TLS_KEY_FILE: own.keyFile,
        TLS_CERTIFICATES: `*.previews.example=${all.certificateFile}:${all.keyFile}`,
        LOG_LEVEL: 'silent',
      },
    })
    const local = `https://localhost:${new URL(service.url).port}`
    const core = async (path: string, body: object) =>
      await fetch(`${local}/api/core/${path}`, {
        method: 'POST',
        headers: account,
        body: JSON.stringify(body),
        ...overTls,
      })
    await core('zones', { Name: 'acme' })
    const file = { method: 'PUT', headers: access, body: 'shown', ...overTls }
    await fetch(`${local}/api/storage/acme/v1/a.txt`, file)
    const made = await core('zones/acme/previews', { Name: 'spring' })
    expect(await made.json()).toMatchObject({ HostUrl: 'https://spring--acme.previews.example/' })

    const url = `${service.url}/v1/a.txt`
    expect(await ask(url, 'spring--acme.previews.example')).toEqual([
      200,
      'shown',
      '*.previews.example',
    ])
    const [status, , name] = await ask(url, 'autumn--acme.previews.example')
    expect([status, name]).toEqual([404, '*.previews.example'])
  }, 60_000)
