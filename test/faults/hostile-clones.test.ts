import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { ask } from '../fixtures/raw-request.ts'
import { git, packetLine, runGit } from '../support/git-client.ts'
import { processesWith } from '../support/running-commands.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let data: string
let work: string

const fetchType = 'application/x-git-upload-pack-request'
const key = `AccessKey: ${testKeys.ACCESS_KEY}`

beforeAll(async () => {
  data = join(undo.use(await temporaryDirectory()).path, 'data')
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(await openLocalService({ dataDirectory: data }))
  await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"acme"}',
  })
  // More than the buffers of sockets and pipes hold: whoever does not read holds git up.
  for (const name of ['a', 'b']) {
    const body = crypto.getRandomValues(new Uint8Array(65_536))
    await fetch(`${service.url}/api/storage/acme/v1/logos/${name}.bin`, {
      method: 'PUT',
      headers: access,
      body: Buffer.concat(Array.from({ length: 240 }, () => body)),
    })
  }
})

afterAll(() => undo.disposeAsync())

const post = (body: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.url}/git/git-upload-pack`, {
    method: 'POST',
    headers: { ...access, 'Content-Type': fetchType, 'Git-Protocol': 'version=2', ...headers },
    body,
  })

const serving = () => processesWith(data)

/** Nothing was left running, and the next clone works. */
async function expectWell(): Promise<void> {
  const listed = `http://x:${testKeys.ACCESS_KEY}@localhost:${service.port}/git/`
  expect((await git(work, ['ls-remote', listed])).output).toContain('refs/heads/main')
  if (process.platform !== 'linux') return
  const isOver = async () => (await serving()).every((line) => !line.includes('upload-pack'))
  await until(isOver, 'a process that serves clones was left behind')
}

test('garbage in place of a request is the caller’s mistake', async () => {
  const id = '0123456789'.repeat(4)
  const bodies = [
    'garbage',
    '0',
    'zzzz',
    'ffff',
    '0003',
    '0001',
    '00000000',
    packetLine('command=nonsense\n'),
    packetLine('command=fetch\n'),
    `${packetLine('command=fetch\n')}0001${packetLine(`want ${id}\n`)}${packetLine('done\n')}0000`,
    `${packetLine('command=fetch\n')}0001${packetLine('want ../../etc/passwd\n')}0000`,
    `${packetLine('command=fetch\n')}0001${packetLine('filter tree:99999999999\n')}0000`,
    `${packetLine('command=fetch\n')}0001${packetLine('filter sparse:oid=main:x\n')}0000`,
    `${packetLine('command=ls-refs\n')}0001${packetLine('ref-prefix \0\n')}0000`,
    `${packetLine('command=ls-refs\n').repeat(2000)}0000`,
    '\0'.repeat(100_000),
    crypto.getRandomValues(new Uint8Array(50_000)),
  ]
  for (const body of bodies)
    for (const version of ['version=2', 'version=0', 'version=9', 'x'.repeat(5000), '\u00ff'])
      expect((await post(body, { 'Git-Protocol': version })).status).toBeLessThan(500)
  await expectWell()
}, 60_000)

test('a body may be packed, but not larger than any that git sends', async () => {
  const listing = `${packetLine('command=ls-refs\n')}0001${packetLine('peel\n')}0000`
  const packed = await post(gzipSync(listing), { 'Content-Encoding': 'gzip' })
  expect(await packed.text()).toContain('refs/heads/main')

  const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20))
  expect((await post(bomb, { 'Content-Encoding': 'gzip' })).status).toBe(413)
  expect((await post(Buffer.alloc(5 * 2 ** 20))).status).toBe(413)
  expect((await post('garbage', { 'Content-Encoding': 'gzip' })).status).toBe(400)
  expect(
    (await post(gzipSync(listing).subarray(0, 30), { 'Content-Encoding': 'gzip' })).status,
  ).toBe(400)
  expect((await post(listing, { 'Content-Encoding': 'br' })).status).toBe(415)
  expect((await post(listing, { 'Content-Type': 'text/plain' })).status).toBe(415)
  await expectWell()
})

test('no URL and no method does more than the three that git needs', async () => {
  const lines: readonly (readonly [string, number])[] = [
    ['HEAD /git/info/refs?service=git-upload-pack HTTP/1.1', 200],
    ['POST /git/info/refs?service=git-upload-pack HTTP/1.1', 405],
    ['GET /git/git-upload-pack HTTP/1.1', 405],
    ['DELETE /git/git-upload-pack HTTP/1.1', 405],
    ['OPTIONS /git/git-upload-pack HTTP/1.1', 405],
    ['POST /git/git-receive-pack HTTP/1.1', 415],
    ['GET /git/git-receive-pack HTTP/1.1', 405],
    ['GET /git/info/refs?service=git-upload-archive HTTP/1.1', 403],
    ['GET /git/info/refs?service=git-upload-pack%00 HTTP/1.1', 403],
    ['GET /git/info/refs?service=--exec=id HTTP/1.1', 403],
    ['GET /git/../data/keys.json HTTP/1.1', 400],
    ['GET /git/%2e%2e/keys.json HTTP/1.1', 400],
    ['GET /git/..%2f..%2fkeys.json HTTP/1.1', 404],
    ['GET /git//info/refs?service=git-upload-pack HTTP/1.1', 404],
    ['GET /git/info/refs/../../config HTTP/1.1', 400],
    ['GET /GIT/info/refs?service=git-upload-pack HTTP/1.1', 404],
  ]
  for (const [line, status] of lines) {
    const response = await ask(service.port, line, key)
    expect({ line, status: response.status }).toEqual({ line, status })
  }
  const head = await ask(service.port, 'HEAD /git/info/refs?service=git-upload-pack HTTP/1.1', key)
  expect(head.body.length).toBe(0)
  await expectWell()
})

/** Asks for everything and leaves the response unread. */
async function beginClone(): Promise<Socket> {
  const id = (await runGit(join(data, 'repository.git'), 'rev-parse', 'main')).trim()
  const body = `${packetLine('command=fetch\n')}0001${packetLine(`want ${id}\n`)}${packetLine('done\n')}0000`
  const head = [
    'POST /git/git-upload-pack HTTP/1.1',
    'Host: localhost',
    key,
    `Content-Type: ${fetchType}`,
    'Git-Protocol: version=2',
    `Content-Length: ${body.length}`,
  ]
  const socket = connect(service.port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  await new Promise<void>((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => resolve()),
  )
  return socket
}

test.skipIf(process.platform !== 'linux')(
  'when a client leaves in the middle, the process that served it ends',
  async () => {
    const socket = await beginClone()
    await until(async () => (await serving()).length > 0)
    socket.destroy()
    await until(async () => (await serving()).length === 0, 'git goes on for nobody')
    await expectWell()
  },
  60_000,
)

test.skipIf(process.platform !== 'linux')(
  'those who read nothing take no more than their places, and hold nobody up for ever',
  async () => {
    const stalled = await Promise.all(Array.from({ length: 30 }, beginClone))
    await until(async () => (await serving()).length >= 8)
    // Eight, each of which may just be forking.
    expect((await serving()).filter((line) => line.includes('upload-pack')).length).toBeLessThan(17)
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
    for (const socket of stalled) socket.destroy()
    await expectWell()
  },
  60_000,
)

test('a hundred clones at once all get everything', async () => {
  await fetch(`${service.url}/api/storage/acme/v1/logos/small.txt`, {
    method: 'PUT',
    headers: access,
    body: 'small',
  })
  const url = `http://x:${testKeys.ACCESS_KEY}@localhost:${service.port}/git/`
  const options = ['clone', '-q', '--depth=1', '--filter=blob:none', '--no-checkout', url]
  const clones = await Promise.all(
    Array.from({ length: 100 }, (_, index) => git(work, [...options, `clone-${index}`])),
  )

  expect(clones.filter(({ exitCode }) => exitCode !== 0).map(({ errors }) => errors)).toEqual([])
  await expectWell()
}, 120_000)

test('a body that comes slowly holds no process', async () => {
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(service.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /git/git-upload-pack HTTP/1.1\r\nHost: localhost\r\n${key}\r\nContent-Type: ${fetchType}\r\nContent-Length: 1000\r\n\r\n0014`,
    )
    return socket
  })
  await expectWell()
  for (const socket of sockets) socket.destroy()
})
