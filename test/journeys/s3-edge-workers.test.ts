import { createHash } from 'node:crypto'

import { expect, test } from 'bun:test'

import { chunked } from '../support/aws-chunked.ts'
import { have } from '../support/needs.ts'
import { createS3Client, openS3Client } from '../support/s3-client.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { type Connection, connectToEach, sharedPorts } from '../support/shared-port.ts'
import { worldOf } from '../support/world.ts'

const canRun = have('edge workers', sharedPorts)
const s3Host = 's3.example.test'

/** One request, on a connection that stays with its process. */
const sender =
  (connection: Connection) =>
  async (path: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> => {
    const { host: _, 'content-length': __, ...fields } = Object.fromEntries(new Headers(headers))
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array | undefined)
    const answer = await connection.ask({
      method,
      path,
      headers: fields,
      ...(bytes && { body: bytes }),
    })
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
    })
  }

test.skipIf(!canRun)(
  'every process takes what is of S3, whatever a zone redirects, and delivers the rest',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({
      dataDirectory: directory.path,
      environment: { EDGE_WORKERS: '2', S3_HOST: s3Host, LOG_LEVEL: 'error' },
    })
    const world = worldOf(service)
    await world.zone('acme')
    await world.rules(
      '_redirects',
      '/:first/files/* /acme/v1/caught.txt 301\n/s3/* /acme/v1/caught.txt 301\n',
    )
    const { credentials } = await openS3Client(service)
    const large = new Uint8Array(26 * 2 ** 20).fill(7)
    const connections = await connectToEach(service, 2)
    expect(connections.size).toBe(3)
    let nth = 0
    for (const connection of connections.values()) {
      const key = `acme/files/${(nth += 1)}.bin`
      const client = createS3Client({
        send: sender(connection),
        origin: service.url,
        credentials,
      })
      const put = await client.put(key, large, { 'content-length': String(large.length) })
      expect([key, put.status, put.headers.get('etag')]).toEqual([key, 200, etagOf(large)])
      const got = await client.get(key)
      expect(Buffer.from(await got.arrayBuffer()).equals(large)).toBe(true)
      const framed = await client.put(`${key}.txt`, chunked(Buffer.from('hello')), {
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-decoded-content-length': '5',
      })
      expect(framed.status).toBe(200)
      const listed = await client.send('GET', '/acme', { query: { prefix: 'files/' } })
      expect(await listed.text()).toContain(`<Key>files/${nth}.bin.txt</Key>`)
      const delivered = await connection.ask({ path: `/acme/v1/files/${nth}.bin.txt` })
      expect([delivered.status, delivered.body.toString()]).toEqual([200, 'hello'])
      const caught = await connection.ask({ path: '/acme/files/1.bin' })
      expect([caught.status, caught.headers.get('location')]).toEqual([301, '/acme/v1/caught.txt'])
      const named = await connection.ask({ path: '/acme/files/1.bin', headers: { Host: s3Host } })
      expect([named.status, named.headers.has('x-amz-version-id')]).toEqual([200, true])
    }
    for (const connection of connections.values()) connection[Symbol.dispose]()
  },
  90_000,
)

const etagOf = (bytes: Uint8Array): string => `"${createHash('md5').update(bytes).digest('hex')}"`
