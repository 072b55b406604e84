import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'

import { packetLine, runGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { packOf, pushRaw, sendPush } from '../support/raw-push.ts'
import { processesWith } from '../support/running-commands.ts'
import { access, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let repository: string
let work: string
let head: string
const mebibyte = 2 ** 20
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

beforeAll(async () => {
  const data = join(undo.use(await temporaryDirectory()).path, 'data')
  repository = join(data, 'repository.git')
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(
    await openLocalService({
      dataDirectory: data,
      environment: { PUSH_MAX_MB: '8', PUSHES_PER_MINUTE: '100000' },
    }),
  )
  await worldOf(service).zone('acme')
  await worldOf(service).put('acme/v1/logos/a.svg', svg)
  await runGit(
    work,
    'clone',
    '-q',
    `http://x:${testKeys.ACCESS_KEY}@localhost:${service.port}/git/`,
    '.',
  )
  head = (await runGit(work, 'rev-parse', 'HEAD')).trim()
})

afterAll(() => undo.disposeAsync())

/** Nothing was taken, nothing was left behind, and a push that is all right goes through. */
async function expectWell(): Promise<void> {
  expect((await runGit(repository, 'rev-parse', 'main')).trim()).toBe(head)
  await until(
    async () => readdirSync(join(repository, 'sedge-pushes')).length === 0,
    'something was left behind',
  )
  if (process.platform === 'linux')
    await until(
      async () => (await processesWith('sedge-pushes')).length === 0,
      'a process was left',
    )
  const errors = service.lines.filter((line) => line.includes('"level":"error"'))
  expect(errors).toEqual([])
}

/** A commit on top of the branch, with its objects in the clone. */
async function commitOf(files: Readonly<Record<string, string>>): Promise<string> {
  await runGit(work, 'reset', '-q', '--hard', head)
  for (const [path, text] of Object.entries(files)) await Bun.write(join(work, path), text)
  await runGit(work, 'add', '-A')
  await runGit(work, 'commit', '-q', '-m', 'Change')
  return (await runGit(work, 'rev-parse', 'HEAD')).trim()
}

async function newObjects(to: string): Promise<string[]> {
  const listed = await runGit(work, 'rev-list', '--objects', '--no-object-names', to, `^${head}`)
  return listed.trim().split('\n')
}

const push = (to: string, pack: Uint8Array) => pushRaw({ url: service.url, from: head, to, pack })

/** A pack with whatever count it says, and objects as they are given. */
function forgedPack(objects: readonly Uint8Array[], count = objects.length): Buffer {
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(count, 8)
  const body = Buffer.concat([header, ...objects])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

const kinds = { commit: 1, tree: 2, blob: 3, reference: 7 } as const

/** Kind and size of an object, as they stand before it in a pack (gitformat-pack). */
function objectHead(kind: keyof typeof kinds, size: number): Buffer {
  const bytes: number[] = []
  let first = (kinds[kind] << 4) | (size & 15)
  let rest = Math.floor(size / 16)
  while (rest > 0) {
    bytes.push(first | 0x80)
    first = rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, first])
}

const packed = (kind: keyof typeof kinds, body: Uint8Array, size = body.length): Buffer =>
  Buffer.concat([objectHead(kind, size), deflateSync(body)])

const idOf = (kind: string, body: Uint8Array): string =>
  createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex')

test('garbage in place of a request is the caller’s mistake', async () => {
  const id = '0123456789'.repeat(4)
  const bodies = [
    'garbage',
    '0',
    'zzzz',
    'ffff',
    '0003',
    '0001',
    packetLine(`${head} ${id} refs/heads/main`),
    `${packetLine(`${head} ${id} refs/heads/main`)}0000garbage`,
    `${packetLine(`${head} ${id} ../../config`)}0000`,
    `${packetLine(`${head} ${id} refs/heads/ma\nin`)}0000`,
    `${packetLine(`${head} ${id.slice(1)} refs/heads/main`)}0000`,
    `${packetLine('shallow garbage')}0000`,
    `${packetLine(`${head} ${id} refs/heads/main\0push-options`)}0000${packetLine('x').repeat(50)}0000`,
    '\0'.repeat(100_000),
    crypto.getRandomValues(new Uint8Array(50_000)),
  ]
  for (const body of bodies) {
    const { status } = await sendPush(service.url, body)
    expect([400, 413]).toContain(status)
  }
  expect((await sendPush(service.url, '0000')).status).toBe(200)
  expect(
    (await sendPush(service.url, '0000', { ...access, 'Content-Type': 'text/plain' })).status,
  ).toBe(415)
  expect((await sendPush(service.url, '0000', {})).status).toBe(401)
  await expectWell()
})

test('packs that are cut off, changed on the way, or of another count are refused', async () => {
  const to = await commitOf({ 'clients/acme/v1/logos/b.svg': svg })
  const pack = Buffer.from(await packOf(work, await newObjects(to)))
  const changed = (place: number, byte: number) => {
    const copy = Buffer.from(pack)
    copy[place] = byte
    return copy
  }
  const packs = [
    ...[13, 20, 60, pack.length - 21, pack.length - 1].map((length) => pack.subarray(0, length)),
    changed(11, 99),
    changed(11, 1),
    changed(30, (pack[30] ?? 0) ^ 0xff),
    changed(pack.length - 1, (pack.at(-1) ?? 0) ^ 0xff),
    Buffer.concat([pack, Buffer.from('more')]),
  ]
  for (const each of packs) {
    const response = await sendPush(
      service.url,
      Buffer.concat([
        Buffer.from(`${packetLine(`${head} ${to} refs/heads/main\0report-status`)}0000`),
        each,
      ]),
    )
    const report = await response.text()
    expect(response.status < 500 && !report.includes('ok refs/heads/main')).toBe(true)
  }
  for (const [place, byte] of [
    [0, 0x50 ^ 1],
    [7, 9],
    [8, 0xff],
  ] as const) {
    const request = `${packetLine(`${head} ${to} refs/heads/main\0report-status`)}0000`
    const body = Buffer.concat([Buffer.from(request), changed(place, byte)])
    expect((await sendPush(service.url, body)).status).toBe(400)
  }
  await expectWell()
}, 60_000)

test('the branch goes to a commit that is there whole, and to nothing else', async () => {
  const to = await commitOf({ 'clients/acme/v1/logos/c.svg': svg })
  const all = await newObjects(to)
  const [tree = '', blob = ''] = (
    await runGit(work, 'rev-parse', `${to}^{tree}`, `${to}:clients/acme/v1/logos/c.svg`)
  ).split('\n')
  const whole = await packOf(work, all)
  expect(await push(tree, whole)).toContain('ng refs/heads/main it is no commit')
  expect(await push(blob, whole)).toContain('ng refs/heads/main it is no commit')
  await runGit(work, 'tag', '-a', '-m', 'tag', 'tagged', to)
  const tag = (await runGit(work, 'rev-parse', 'tagged')).trim()
  expect(await push(tag, await packOf(work, [...all, tag]))).toContain('it is no commit')
  expect(await push('0123456789'.repeat(4), whole)).toContain('neither sent nor here')
  for (const missing of [to, tree]) {
    const part = await packOf(
      work,
      all.filter((id) => id !== missing),
    )
    expect(await push(to, part)).toContain('ng refs/heads/main')
  }
  await runGit(work, 'checkout', '-q', '--orphan', 'other')
  await runGit(work, 'commit', '-q', '-m', 'Another history')
  const other = (await runGit(work, 'rev-parse', 'HEAD')).trim()
  const unrelated = await packOf(work, [other, ...all])
  expect(await push(other, unrelated)).toContain('forced updates are not possible')
  const stranger = { url: service.url, from: other, to, pack: whole }
  expect(await pushRaw(stranger)).toContain('the branch has moved on')
  await runGit(work, 'checkout', '-q', '-f', 'main')
  await expectWell()
}, 60_000)

test('commits that are dated ahead, or whose objects git does not write, are refused', async () => {
  await commitOf({ 'clients/acme/v1/logos/d.svg': svg })
  const text = (await runGit(work, 'cat-file', 'commit', 'HEAD')).replace(
    /(committer .*> )\d+/u,
    '$14102444800',
  )
  const tree = (await runGit(work, 'rev-parse', 'HEAD^{tree}')).trim()
  const rest = (await newObjects('HEAD')).slice(1)
  const others = await Promise.all(
    rest.map(async (id) => {
      const kind = (await runGit(work, 'cat-file', '-t', id)).trim() as 'blob' | 'tree'
      const child = Bun.spawn(['git', 'cat-file', kind, id], { cwd: work, stdout: 'pipe' })
      return packed(kind, await new Response(child.stdout).bytes())
    }),
  )
  const ahead = Buffer.from(text)
  expect(
    await push(idOf('commit', ahead), forgedPack([packed('commit', ahead), ...others])),
  ).toContain('ng refs/heads/main paths that cannot be taken')
  for (const broken of [
    `tree ${tree}\nparent ${head}\nauthor nobody\ncommitter nobody\n\nx\n`,
    `tree ${tree}\nparent ${head}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 99999999999999999999 +0000\n\nx\n`,
    `tree ${tree}\nparent garbage\n\nx\n`,
  ]) {
    const body = Buffer.from(broken)
    const report = await push(idOf('commit', body), forgedPack([packed('commit', body), ...others]))
    expect(report).toContain('unpack ')
    expect(report).not.toContain('unpack ok')
  }
  await expectWell()
}, 60_000)

test('few bytes that stand for many end as a refusal, and the service answers meanwhile', async () => {
  const to = await commitOf({ 'clients/acme/v1/logos/e.svg': svg })
  const zeros = Buffer.alloc(100 * mebibyte)
  const bombs = {
    blob: forgedPack([packed('blob', zeros)]),
    tree: forgedPack([packed('tree', zeros)]),
    commit: forgedPack([packed('commit', zeros.subarray(0, 64 * mebibyte))]),
    claim: forgedPack([packed('tree', Buffer.from('x'), 2 ** 45)]),
    delta: deltaBomb(),
  }
  for (const [name, pack] of Object.entries(bombs)) {
    const refused = push(to, pack)
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
    expect({ name, report: await refused }).toEqual({
      name,
      report: expect.stringContaining('ng refs/heads/main'),
    })
  }
  await expectWell()
}, 120_000)

/** A delta that copies the same 64 KB of its base until it has 1 GiB, sixteen times over. */
function deltaBomb(): Buffer {
  const base = Buffer.alloc(65_536, 7)
  const size = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...size(Math.floor(value / 128))]
  const result = 2 ** 30
  const copies = Array.from({ length: result / 65_536 }, () => Buffer.of(0x80))
  const delta = Buffer.concat([
    Buffer.from(size(base.length)),
    Buffer.from(size(result)),
    ...copies,
  ])
  const deltaObject = Buffer.concat([
    objectHead('reference', delta.length),
    Buffer.from(idOf('blob', base), 'hex'),
    deflateSync(delta),
  ])
  return forgedPack([packed('blob', base), ...Array.from({ length: 16 }, () => deltaObject)])
}

test('what is larger than any push is cut off, packed and unpacked', async () => {
  const request = Buffer.from(
    `${packetLine(`${head} ${'1'.repeat(40)} refs/heads/main\0report-status`)}0000`,
  )
  const start = forgedPack([]).subarray(0, 12)
  const long = Buffer.concat([request, start, Buffer.alloc(9 * mebibyte)])
  expect((await sendPush(service.url, long)).status).toBe(413)
  expect(
    (await sendPush(service.url, gzipSync(long), { ...access, 'Content-Encoding': 'gzip' })).status,
  ).toBe(413)
  const coded = { ...access, 'Content-Encoding': 'br' }
  expect((await sendPush(service.url, request, coded)).status).toBe(415)

  const files = Array.from({ length: 10 }, (_, index) => [
    `clients/acme/v1/logos/${index}.txt`,
    `${index}`.repeat(mebibyte),
  ])
  const to = await commitOf(Object.fromEntries(files))
  const report = await push(to, await packOf(work, await newObjects(to)))
  expect(report).toContain('its files have over 8388608 bytes together')
  await expectWell()
}, 60_000)

test('10,000 refs are refused at once', async () => {
  const id = '1'.repeat(40)
  const lines = Array.from({ length: 10_000 }, (_, index) =>
    packetLine(
      `${'0'.repeat(40)} ${id} refs/heads/branch-${index}${index === 0 ? '\0report-status' : ''}`,
    ),
  )
  const begun = performance.now()
  const response = await sendPush(service.url, `${lines.join('')}0000`)
  const report = await response.text()
  expect(report).toContain('ng refs/heads/branch-0')
  expect(report.split('\n').length).toBeLessThan(110)
  expect(performance.now() - begun).toBeLessThan(5_000)
  await expectWell()
})

test('bodies come in whatever way HTTP has, and connections may break', async () => {
  const to = await commitOf({ 'clients/acme/v1/logos/f.svg': svg })
  const pack = await packOf(work, await newObjects(to))
  const body = Buffer.concat([
    Buffer.from(`${packetLine(`${head} ${to} refs/heads/main\0report-status`)}0000`),
    pack,
  ])
  for (let count = 0; count < 10; count += 1) {
    const socket = connect(service.port, '127.0.0.1')
    socket.on('error', () => {})
    const fields = [
      'POST /git/git-receive-pack HTTP/1.1',
      'Host: localhost',
      `AccessKey: ${testKeys.ACCESS_KEY}`,
      'Content-Type: application/x-git-receive-pack-request',
      `Content-Length: ${body.length}`,
    ]
    await new Promise<void>((resolve) =>
      socket.write(
        Buffer.concat([
          Buffer.from(`${fields.join('\r\n')}\r\n\r\n`),
          body.subarray(0, body.length - 1 - count * 7),
        ]),
        () => resolve(),
      ),
    )
    socket.destroy()
  }
  await expectWell()
  const zipped = await sendPush(service.url, gzipSync(body), {
    ...access,
    'Content-Encoding': 'gzip',
    Expect: '100-continue',
  })
  expect(await zipped.text()).toContain('ok refs/heads/main')
  head = to
  expect(await (await fetch(`${service.url}/acme/v1/logos/f.svg`)).text()).toBe(svg)
  // Whoever did not get the answer sends it again.
  const again = await Promise.all(Array.from({ length: 20 }, () => sendPush(service.url, body)))
  for (const response of again) expect(await response.text()).toContain('ok refs/heads/main')
  await expectWell()
}, 60_000)
