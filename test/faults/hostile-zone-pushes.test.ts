import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

import { objectHeader, packHeader, packObject } from '../../src/adapters/git/objects/pack-format.ts'
import { type ObjectKind, objectId } from '../../src/adapters/git/objects/object-id.ts'
import { packetLine, runGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let data: string

const secret = 'what bolt alone may read, and nobody else at all'

beforeAll(async () => {
  data = join(undo.use(await temporaryDirectory()).path, 'data')
  service = undo.use(await openLocalService({ dataDirectory: data }))
  for (const zone of ['acme', 'bolt']) await worldOf(service).zone(zone)
  await worldOf(service).put('acme/v1/data/a.txt', 'first')
  await worldOf(service).put('bolt/v1/data/secret.txt', secret)
})

afterAll(() => undo.disposeAsync())

const whole = async (revision: string): Promise<string> =>
  (await runGit(join(data, 'repository.git'), 'rev-parse', revision)).trim()

async function tipOf(zone: string): Promise<string> {
  const url = `${service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/${zone}.git`
  return (await runGit(data, 'ls-remote', url, 'refs/heads/main')).slice(0, 40)
}

interface Made {
  readonly id: string
  readonly bytes: Buffer
}

const made = (kind: ObjectKind, body: Buffer): Made =>
  packObject({ id: objectId(kind, body), kind, body }, 1)

const treeOf = (mode: string, name: string, id: string): Made =>
  made('tree', Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]))

const commitOf = (tree: string, ...parents: readonly string[]): Made => {
  const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`)]
  const who = 'Eve <eve@example.org> 1700000000 +0000'
  return made(
    'commit',
    Buffer.from(`${lines.join('\n')}\nauthor ${who}\ncommitter ${who}\n\nMine\n`),
  )
}

/** A file that is all of another one, with the id that only whoever knows its bytes could name. */
function deltaOf(base: string, size: number): Buffer {
  const delta = Buffer.from([size, size + 1, 0x90, size, 1, 0x21])
  const header = objectHeader('blob', delta.length)
  header[0] = (header[0]! & 0x8f) | (7 << 4)
  return Buffer.concat([header, Buffer.from(base, 'hex'), deflateSync(delta)])
}

async function push(former: string, next: string, objects: readonly Buffer[]) {
  const body = Buffer.concat([packHeader(objects.length), ...objects])
  const pack = Buffer.concat([body, createHash('sha1').update(body).digest()])
  const command = `${former} ${next} refs/heads/main\0report-status object-format=sha1`
  const response = await fetch(`${service.url}/git/acme.git/git-receive-pack`, {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/x-git-receive-pack-request' },
    body: Buffer.concat([Buffer.from(`${packetLine(command)}0000`), pack]),
  })
  return `${response.status} ${await response.text()}`
}

/** A commit on top of the zone whose `v1/data/` is the directory. */
async function commitWith(
  files: Made,
): Promise<{ readonly id: string; readonly objects: Buffer[] }> {
  const v1 = treeOf('40000', 'data', files.id)
  const root = treeOf('40000', 'v1', v1.id)
  const commit = commitOf(root.id, await tipOf('acme'))
  return { id: commit.id, objects: [commit, root, v1, files].map(({ bytes }) => bytes) }
}

test('a commit that names the file of another zone is refused: its bytes were not sent', async () => {
  const former = await tipOf('acme')
  const blob = await whole('main:clients/bolt/v1/data/secret.txt')
  const { id, objects } = await commitWith(treeOf('100644', 'stolen.txt', blob))
  expect(await push(former, id, objects)).toContain(`${blob} was not sent`)
  expect(await tipOf('acme')).toBe(former)
})

test('so is one that names a directory of another zone', async () => {
  const former = await tipOf('acme')
  const directory = await whole('main:clients/bolt/v1/data')
  const { id, objects } = await commitWith(treeOf('40000', 'stolen', directory))
  expect(await push(former, id, objects)).toContain('was not sent')
  expect(await tipOf('acme')).toBe(former)
})

test('so is one that merges a commit of another zone, or of the whole', async () => {
  const former = await tipOf('acme')
  const own = await whole('main:clients/acme')
  for (const foreign of [await tipOf('bolt'), await whole('main')]) {
    const commit = commitOf(own, former, foreign)
    expect(await push(former, commit.id, [commit.bytes])).toMatch(/was not sent|unpack (?!ok)/u)
  }
  expect(await tipOf('acme')).toBe(former)
})

test('a file that is made of another zone’s is refused: a pack has all that its objects are made from', async () => {
  const former = await tipOf('acme')
  const base = await whole('main:clients/bolt/v1/data/secret.txt')
  const blob = objectId('blob', Buffer.from(`${secret}!`))
  const { id, objects } = await commitWith(treeOf('100644', 'stolen.txt', blob))
  const said = await push(former, id, [...objects, deltaOf(base, secret.length)])
  expect(said).toMatch(/unpack (?!ok)/u)
  expect(said).not.toContain(secret)
  expect(await tipOf('acme')).toBe(former)
  // With what it is made of in the pack it is a file like any other.
  const sent = made('blob', Buffer.from(secret))
  const all = [...objects, sent.bytes, deltaOf(base, secret.length)]
  expect(await push(former, id, all)).toContain('ok refs/heads/main')
})

test('nothing that fsck finds comes into a zone, on no line of commits', async () => {
  const former = await tipOf('acme')
  const own = await whole('main:clients/acme')
  const file = made('blob', Buffer.from('[core]'))
  const tree = treeOf('100644', '.git', file.id)
  const side = commitOf(tree.id, former)
  const merge = commitOf(own, former, side.id)
  const objects = [merge, side, tree, file].map(({ bytes }) => bytes)
  expect(await push(former, merge.id, objects)).toMatch(/unpack (?!ok)/u)
  expect(await tipOf('acme')).toBe(former)
})

test('a commit that has its zone’s own files again need not send them', async () => {
  const former = await tipOf('acme')
  await worldOf(service).put('acme/v1/data/a.txt', 'first')
  await worldOf(service).put('acme/v1/data/a.txt', 'second')
  const now = await tipOf('acme')
  const commit = commitOf(await whole('main~1:clients/acme'), now)
  expect(await push(now, commit.id, [commit.bytes])).toContain('ok refs/heads/main')
  expect(await (await fetch(`${service.url}/acme/v1/data/a.txt`)).text()).toBe('first')
  expect(await tipOf('acme')).toBe(commit.id)
  expect(former).not.toBe(now)
})

test('a commit of the zone that was there before is no way back, and a foreign one no beginning', async () => {
  const former = await tipOf('acme')
  const tree = await whole('main:clients/acme')
  const alone = commitOf(tree)
  expect(await push(former, alone.id, [alone.bytes])).toContain('forced updates are not possible')
  const onForeign = commitOf(tree, await tipOf('bolt'))
  expect(await push(await tipOf('bolt'), onForeign.id, [onForeign.bytes])).toContain('fetch first')
  expect(await push('0'.repeat(40), alone.id, [alone.bytes])).toContain('fetch first')
  expect(await tipOf('acme')).toBe(former)
})
