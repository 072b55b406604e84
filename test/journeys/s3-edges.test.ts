import { join } from 'node:path'

import { expect, test } from 'bun:test'

import { chunked } from '../support/aws-chunked.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { createS3Client, openS3Client, presigned } from '../support/s3-client.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'

test('an edge that the origin trusts passes on what is signed for its own host', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({
    dataDirectory: join(directory.path, 'origin'),
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  const body = JSON.stringify({ Name: 'acme' })
  await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
  const { credentials } = await openS3Client(service, { zones: ['acme'] })
  const token = await edgeTokenOf(service.url)
  const place = { name: 'e1', directory: join(directory.path, 'edge') }
  await using edge = await startEdge({ origin: service.url, token, ...place })
  const client = createS3Client({
    send: (path, init) => fetch(`${edge.url}${path}`, init),
    origin: edge.url,
    credentials,
  })
  const framed = await client.put('acme/a.txt', chunked(Buffer.from('hello')), {
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': '5',
  })
  expect(framed.status).toBe(200)
  expect(await (await client.get('acme/a.txt')).text()).toBe('hello')
  const url = presigned('GET', '/acme/a.txt', { origin: edge.url, credentials })
  expect(await (await fetch(url)).text()).toBe('hello')
  const elsewhere = presigned('GET', '/acme/a.txt', { origin: 'http://other.test', credentials })
  expect((await fetch(elsewhere.replace('http://other.test', edge.url))).status).toBe(403)
}, 90_000)
