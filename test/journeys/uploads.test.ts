import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'

import { makeCertificate, openssl } from '../support/certificates.ts'
import { openCuttingProxy } from '../support/cutting-proxy.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { curl, have } from '../support/needs.ts'
import {
  access,
  type ServiceProcess,
  standbyName,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { sharedPorts } from '../support/shared-port.ts'
import { makeUploadFile, type UploadFile } from '../support/upload-file.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 600_000
const hasCurl = have('uploads by curl', curl)
/** A node of a cluster has no workers, and is reached by the others without TLS. */
const isAlone = process.env[standbyName] === undefined
const canShare = have('uploads through edge workers', sharedPorts)
const canSecure = hasCurl && have('uploads over HTTP/2', openssl)

const undo = new AsyncDisposableStack()
let directory: string
let file: UploadFile
let service: ServiceProcess

beforeAll(async () => {
  directory = undo.use(await temporaryDirectory()).path
  file = await makeUploadFile(directory)
  service = undo.use(await startService({ dataDirectory: join(directory, 'data') }))
  await worldOf(service).zone('acme')
}, limitMs)
afterAll(() => undo.disposeAsync())

interface TusUpload {
  readonly url: string
  readonly path: string
  readonly options?: object
}

/** What tus-js-client makes of it, which goes on by itself where a connection is lost. */
async function uploadByTus({ url, path, options }: TusUpload): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(createReadStream(file.path), {
    endpoint: `${url}/api/uploads/tus`,
    headers: access,
    metadata: { path, filetype: 'video/mp4' },
    uploadSize: file.sizeBytes,
    chunkSize: Number.POSITIVE_INFINITY,
    retryDelays: [0, 50, 50, 50, 100, 100],
    onError: reject,
    onSuccess: () => resolve(),
    ...options,
  })
  upload.start()
  await promise
}

/** What is delivered, by any of the service's URLs. */
async function storedAt(path: string, url = service.url) {
  const { headers } = await fetch(`${url}/api/storage/${path}`, { method: 'HEAD', headers: access })
  return { sizeBytes: Number(headers.get('content-length')), sha256: headers.get('checksum') }
}
const whole = () => ({ sizeBytes: file.sizeBytes, sha256: file.sha256 })

test(
  'tus-js-client goes on where connections are cut',
  async () => {
    const afterBytes = Math.floor(file.sizeBytes / 3)
    await using proxy = await openCuttingProxy(service.url, { afterBytes, times: 4 })
    const path = 'acme/v1/titles/cut.mp4'
    await uploadByTus({ url: proxy.url, path })
    expect(proxy.cuts).toBeGreaterThanOrEqual(2)
    expect(await storedAt(path)).toEqual(whole())
    const delivered = await fetch(`${service.url}/${path}`, { method: 'HEAD' })
    expect(delivered.headers.get('content-type')).toBe('video/mp4')
  },
  limitMs,
)

test(
  'tus-js-client sends in pieces, the first of them with the creation',
  async () => {
    const path = 'acme/v1/titles/pieces.mp4'
    const chunkSize = Math.ceil(file.sizeBytes / 5)
    await uploadByTus({
      url: service.url,
      path,
      options: { chunkSize, uploadDataDuringCreation: true },
    })
    expect(await storedAt(path)).toEqual(whole())
  },
  limitMs,
)

test(
  'a client of an older interop version of the draft is understood',
  async () => {
    const path = 'acme/v1/titles/interop-6.mp4'
    const endpoint = `${service.url}/api/uploads?path=${path}`
    await uploadByTus({ url: service.url, path, options: { endpoint, protocol: 'ietf-draft-05' } })
    expect(await storedAt(path)).toEqual(whole())
  },
  limitMs,
)

if (isAlone)
  test.skipIf(!canShare)(
    'uploads go through edge workers',
    async () => {
      await using shared = await startService({
        dataDirectory: join(directory, 'shared'),
        environment: { EDGE_WORKERS: '2', LOG_LEVEL: 'error' },
      })
      await worldOf(shared).zone('acme')
      const afterBytes = Math.floor(file.sizeBytes / 2)
      await using proxy = await openCuttingProxy(shared.url, { afterBytes, times: 2 })
      const path = 'acme/v1/titles/workers.mp4'
      await uploadByTus({ url: proxy.url, path })
      expect(proxy.cuts).toBeGreaterThan(0)
      expect(await storedAt(path, shared.url)).toEqual(whole())
    },
    limitMs,
  )

test(
  'uploads go through an edge elsewhere',
  async () => {
    const token = await edgeTokenOf(service.url)
    await using edge = await startEdge({
      origin: service.url,
      token,
      name: 'far',
      directory: join(directory, 'far'),
    })
    const afterBytes = Math.floor(file.sizeBytes / 2)
    await using proxy = await openCuttingProxy(edge.url, { afterBytes, times: 2 })
    const path = 'acme/v1/titles/edge.mp4'
    await uploadByTus({ url: proxy.url, path })
    expect(proxy.cuts).toBeGreaterThan(0)
    expect(await storedAt(path)).toEqual(whole())
  },
  limitMs,
)

interface CurlResponse {
  readonly exitCode: number
  readonly status: number
  readonly headers: Headers
}

/** Runs curl as the documentation does, and reads the last response. */
async function runCurl(words: readonly string[], rest?: ReadableStream): Promise<CurlResponse> {
  const child = Bun.spawn(
    ['curl', '-sS', '-o', '/dev/null', '-D', '-', '-H', `AccessKey: ${access.AccessKey}`, ...words],
    { stdin: rest ?? 'ignore', stdout: 'pipe', stderr: 'ignore' },
  )
  const text = await new Response(child.stdout).text()
  const blocks = text.trim().split(/\r?\n\r?\n/u)
  const [status = '', ...fields] = (blocks.at(-1) ?? '').split(/\r?\n/u)
  const headers = new Headers(
    fields.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  return { exitCode: await child.exited, status: Number(status.split(' ')[1]), headers }
}

const asField = (field: string) => ['-H', field]

/** The draft by curl: begun without content, sent, cut, asked for, and gone on with. */
async function uploadByCurl(url: string, path: string, options: readonly string[] = []) {
  const draft = ['-H', 'Upload-Draft-Interop-Version: 9']
  const beginning = ['Upload-Complete: ?0', `Upload-Length: ${file.sizeBytes}`].flatMap(asField)
  const begun = await runCurl(
    ['-X', 'POST', ...draft, ...options, ...beginning].concat(`${url}/api/uploads?path=${path}`),
  )
  expect(begun.status).toBe(201)
  const upload = new URL(begun.headers.get('location') ?? '', url).href
  let status = 0
  for (let tries = 0; status !== 201 && tries < 10; tries += 1) {
    const { headers } = await runCurl([...draft, ...options, '-I', upload])
    const offset = Number(headers.get('upload-offset'))
    const fields = [
      `Upload-Offset: ${offset}`,
      'Upload-Complete: ?1',
      'Content-Type: application/partial-upload',
    ].flatMap(asField)
    const sent = await runCurl(
      ['-X', 'PATCH', ...draft, ...options, ...fields, '-T', '-', upload],
      Bun.spawn(['tail', '-c', `+${offset + 1}`, file.path], { stderr: 'ignore' }).stdout,
    )
    status = sent.exitCode === 0 ? sent.status : 0
  }
  expect(status).toBe(201)
}

test.skipIf(!hasCurl)(
  'curl speaks the draft, and goes on where connections are cut',
  async () => {
    const afterBytes = Math.floor(file.sizeBytes / 3)
    await using proxy = await openCuttingProxy(service.url, { afterBytes, times: 2 })
    const path = 'acme/v1/titles/curl.mp4'
    await uploadByCurl(proxy.url, path)
    expect(proxy.cuts).toBe(2)
    expect(await storedAt(path)).toEqual(whole())
  },
  limitMs,
)

if (isAlone)
  test.skipIf(!canSecure)(
    'curl speaks the draft over HTTP/2',
    async () => {
      const { certificateFile, keyFile } = makeCertificate(directory, 'uploads', 'localhost')
      await using secure = await startService({
        dataDirectory: join(directory, 'secure'),
        environment: { TLS_CERT_FILE: certificateFile, TLS_KEY_FILE: keyFile, LOG_LEVEL: 'error' },
      })
      const insecureFetch = (request: Request) =>
        fetch(request, { tls: { rejectUnauthorized: false } } as RequestInit)
      await worldOf(secure, { fetch: insecureFetch }).zone('acme')
      const path = 'acme/v1/titles/http2.mp4'
      await uploadByCurl(secure.url, path, ['-k', '--http2'])
      const { headers } = await runCurl([
        '-k',
        '--http2',
        '-I',
        `${secure.url}/api/storage/${path}`,
      ])
      expect(headers.get('checksum')).toBe(file.sha256)
    },
    limitMs,
  )
