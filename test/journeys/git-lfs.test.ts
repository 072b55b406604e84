import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { git as anyGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { gitLfs, have } from '../support/needs.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let work: string

const bytes = new Uint8Array(3 * 2 ** 20).map((_, place) => (place * 7) % 251)
const sha256Of = (data: Uint8Array) => new Bun.CryptoHasher('sha256').update(data).digest('hex')
const oid = sha256Of(bytes)
const path = 'acme/v1/films/film.bin'
const lfsType = 'application/vnd.git-lfs+json'

beforeAll(async () => {
  work = undo.use(await temporaryDirectory()).path
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory.path, 'data'),
      environment: { LFS_ABOVE_MB: '1', MAX_FILE_MB: '25' },
    }),
  )
  for (const zone of ['acme', 'bolt']) await worldOf(service).zone(zone)
  await worldOf(service).put(path, bytes)
})

afterAll(() => undo.disposeAsync())

async function tokenOf(request: object): Promise<string> {
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'git', expiresInDays: 2, ...request }),
  })
  return ((await response.json()) as { token: string }).token
}

/** With the configuration that `git lfs install` wrote. */
const git = (directory: string, ...args: readonly string[]) =>
  anyGit(directory, args, { HOME: work })

async function runGit(directory: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await git(directory, ...args)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors}`)
  return output
}

const repositoryWith = (credential: string): string =>
  `${service.url.replace('://', `://x:${credential}@`)}/git/`

const basic = (credential: string) => ({
  Authorization: `Basic ${Buffer.from(`x:${credential}`).toString('base64')}`,
})

interface LfsAnswer {
  readonly objects?: readonly {
    readonly oid: string
    readonly error?: { readonly code: number }
    readonly actions?: Readonly<Record<string, { readonly href: string }>>
  }[]
  readonly message?: string
}

async function lfs(what: string, body: unknown, headers: Record<string, string> = access) {
  const response = await fetch(`${service.url}/git/info/lfs/${what}`, {
    method: 'POST',
    headers: { 'Content-Type': lfsType, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  expect(response.headers.get('content-type')).toBe(lfsType)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as LfsAnswer,
  }
}

const batch = (operation: string, objects: unknown, headers?: Record<string, string>) =>
  lfs('objects/batch', { operation, transfers: ['basic'], objects }, headers)

const hrefOf = ({ objects }: LfsAnswer, action: string): string =>
  objects?.[0]?.actions?.[action]?.href ?? ''

if (have('git lfs over HTTP', gitLfs)) {
  test('stock git lfs clones and pulls with the access key and with a token', async () => {
    const credentials = {
      key: testKeys.ACCESS_KEY,
      token: await tokenOf({ scopes: ['storage:read'] }),
    }
    for (const [name, credential] of Object.entries(credentials)) {
      await runGit(work, 'lfs', 'install', '--skip-repo')
      await runGit(work, 'clone', '-q', repositoryWith(credential), name)
      const file = Bun.file(join(work, name, 'clients', path))
      expect(sha256Of(await file.bytes())).toBe(oid)
      expect(await runGit(join(work, name), 'status', '--porcelain')).toBe('')
      expect(await runGit(join(work, name), 'lfs', 'ls-files', '--long')).toContain(oid)
    }
    const next = bytes.slice(5)
    await worldOf(service).put(path, next)
    await runGit(join(work, 'key'), 'pull', '-q', '--ff-only')
    const pulled = await Bun.file(join(work, 'key', 'clients', path)).bytes()
    expect(sha256Of(pulled)).toBe(sha256Of(next))
    await runGit(join(work, 'key'), 'lfs', 'fsck')
  }, 60_000)

  test('worker processes and edges pass it on', async () => {
    await using directory = await temporaryDirectory()
    await using main = await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment: { LFS_ABOVE_MB: '1', EDGE_WORKERS: '2' },
    })
    await worldOf(main).zone('acme')
    await worldOf(main).put(path, bytes)
    await using edge = await startEdge({
      origin: main.url,
      token: await edgeTokenOf(main.url),
      name: 'edge',
      directory: join(directory.path, 'edge'),
    })
    await runGit(work, 'lfs', 'install', '--skip-repo')
    for (const [name, base] of Object.entries({ worker: main.url, edge: edge.url })) {
      const url = `${base.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`
      await runGit(work, 'clone', '-q', url, `by-${name}`)
      const file = Bun.file(join(work, `by-${name}`, 'clients', path))
      expect(sha256Of(await file.bytes())).toBe(oid)
    }
  }, 60_000)

  test('stock git lfs locks, lists, refuses to unlock what is another’s, and unlocks by force', async () => {
    const [one, two] = [join(work, 'one'), join(work, 'two')]
    const writer = await tokenOf({ scopes: ['storage:read', 'storage:write'] })
    await mkdir(work, { recursive: true })
    await runGit(work, 'clone', '-q', repositoryWith(testKeys.ACCESS_KEY), 'one')
    await runGit(work, 'clone', '-q', repositoryWith(writer), 'two')
    const file = `clients/${path}`
    await runGit(one, 'lfs', 'lock', file)
    expect(await runGit(two, 'lfs', 'locks')).toContain(file)
    const again = await git(two, 'lfs', 'lock', file)
    expect(again.exitCode).not.toBe(0)
    const foreign = await git(two, 'lfs', 'unlock', file)
    expect(foreign.exitCode).not.toBe(0)
    await runGit(two, 'lfs', 'unlock', '--force', file)
    expect(await runGit(one, 'lfs', 'locks')).toBe('')
    await runGit(two, 'lfs', 'lock', file)
    await runGit(two, 'lfs', 'unlock', file)
    expect(await runGit(one, 'lfs', 'locks')).toBe('')
  }, 60_000)
}

test('an object comes by a URL of its own, whole, in part and for who asks about it, and not without its signature', async () => {
  const { status, body } = await batch('download', [{ oid, size: bytes.length }])
  expect(status).toBe(200)
  const href = hrefOf(body, 'download')
  expect(JSON.stringify(body)).not.toContain(testKeys.ACCESS_KEY)
  const whole = await fetch(href)
  expect(sha256Of(await whole.bytes())).toBe(oid)
  expect(whole.headers.get('content-length')).toBe(String(bytes.length))
  const part = await fetch(href, { headers: { Range: 'bytes=1000000-1000009' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 1000000-1000009/${bytes.length}`,
  ])
  expect(await part.bytes()).toEqual(bytes.slice(1_000_000, 1_000_010))
  const head = await fetch(href, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(bytes.length))
  expect((await fetch(href, { headers: { Range: 'bytes=9999999-' } })).status).toBe(416)

  const forged = href.replace('action=download', 'action=upload')
  for (const [url, method] of [
    [href.replace(oid, 'a'.repeat(64)), 'GET'],
    [href.replace(/size=\d+/u, 'size=1'), 'GET'],
    [href.replace(/expires=\d+/u, 'expires=9999999999'), 'GET'],
    [href.slice(0, href.indexOf('?')), 'GET'],
    [href, 'PUT'],
    [forged, 'PUT'],
  ] as const) {
    const refused = await fetch(url, { method, ...(method === 'PUT' && { body: 'x' }) })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([403, lfsType])
  }
})

test('an object is uploaded by who may write, checked, verified and then found', async () => {
  const fresh = crypto.getRandomValues(new Uint8Array(50_000))
  const wanted = { oid: sha256Of(fresh), size: fresh.length }
  const reader = basic(await tokenOf({ scopes: ['storage:read'] }))
  expect((await batch('upload', [wanted], reader)).status).toBe(403)

  const { body } = await batch('upload', [wanted])
  const [put, check] = [hrefOf(body, 'upload'), hrefOf(body, 'verify')]
  const verified = async (said: object = wanted) => {
    const response = await fetch(check, {
      method: 'POST',
      headers: { 'Content-Type': lfsType },
      body: JSON.stringify(said),
    })
    return response.status
  }
  const send = async (data: Uint8Array<ArrayBuffer>) =>
    (await fetch(put, { method: 'PUT', body: data })).status
  expect(await verified()).toBe(404)
  expect(await send(new Uint8Array(fresh.length))).toBe(422)
  expect(await send(fresh.slice(1))).toBe(422)
  const chunked = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(fresh)
      controller.enqueue(fresh)
      controller.close()
    },
  })
  expect((await fetch(put, { method: 'PUT', body: chunked })).status).toBe(422)
  expect(await verified()).toBe(404)
  expect(await send(fresh)).toBe(200)
  expect(await verified()).toBe(200)
  expect(await verified({ ...wanted, size: 1 })).toBe(422)

  const again = await batch('upload', [wanted])
  expect(again.body.objects?.[0]?.actions).toBeUndefined()
  const large = await batch('upload', [{ oid: 'a'.repeat(64), size: 26 * 2 ** 20 }])
  expect(large.body.objects?.[0]?.error?.code).toBe(422)
})

test('what another tenant has is not there for a token that does not reach it', async () => {
  await worldOf(service).put('acme/v1/films/same.bin', bytes)
  const own = { oid, size: bytes.length }
  for (const [zone, code] of [
    ['bolt', 404],
    ['acme', undefined],
  ] as const) {
    const token = basic(await tokenOf({ scopes: ['storage:read', 'storage:write'], zones: [zone] }))
    const { body } = await batch('download', [own, { oid: 'b'.repeat(64), size: 1 }], token)
    expect(body.objects?.map(({ error }) => error?.code)).toEqual([code, 404])
    // Nor does it learn by uploading that others have it.
    const sent = await batch('upload', [own], token)
    expect(sent.body.objects?.[0]?.actions === undefined).toBe(zone === 'acme')
  }
})

test('locks of other zones cannot be seen, taken or removed, and a zone made anew has none', async () => {
  const bolt = basic(await tokenOf({ scopes: ['storage:read', 'storage:write'], zones: ['bolt'] }))
  const lock = async (file: string, headers?: Record<string, string>) => {
    const { status, body } = await lfs('locks', { path: file }, headers)
    return { status, id: (body as { lock?: { id: string } }).lock?.id ?? '' }
  }
  const listed = async (headers: Record<string, string>, query = '') => {
    const response = await fetch(`${service.url}/git/info/lfs/locks${query}`, { headers })
    const { locks } = (await response.json()) as { locks: readonly { path: string }[] }
    return locks.map((each) => each.path)
  }
  const ours = await lock('clients/acme/v1/films/b.bin')
  expect(ours.status).toBe(201)
  expect((await lock('clients/acme/v1/films/b.bin')).status).toBe(409)
  expect((await lock('clients/acme/v1/films/c.bin', bolt)).status).toBe(404)
  expect((await lock('README.md', bolt)).status).toBe(404)
  expect((await lock('clients/bolt/v1/films/b.bin', bolt)).status).toBe(201)
  expect(await listed(bolt)).toEqual(['clients/bolt/v1/films/b.bin'])
  expect(await listed(bolt, `?id=${ours.id}`)).toEqual([])
  expect(await listed(bolt, '?path=clients/acme/v1/films/b.bin')).toEqual([])
  expect((await lfs(`locks/${ours.id}/unlock`, { force: true }, bolt)).status).toBe(404)
  const verified = (await lfs('locks/verify', {})).body as unknown as Record<
    string,
    { path: string }[]
  >
  expect(verified['ours']?.map((each) => each.path)).toEqual(['clients/acme/v1/films/b.bin'])
  expect(verified['theirs']?.map((each) => each.path)).toEqual(['clients/bolt/v1/films/b.bin'])

  await worldOf(service).client.deleteZone({ id: 'bolt' })
  await worldOf(service).zone('bolt')
  expect(await listed(access)).toEqual(['clients/acme/v1/films/b.bin'])
  expect((await lock('clients/bolt/v1/films/b.bin')).status).toBe(201)
})

test('hostile messages are refused in the words of Git LFS', async () => {
  const one = { oid, size: bytes.length }
  const statusOf = async (body: unknown, headers?: Record<string, string>) =>
    (await lfs('objects/batch', body, headers)).status
  expect(
    await statusOf({ operation: 'download', objects: Array.from({ length: 1_001 }, () => one) }),
  ).toBe(413)
  expect(await statusOf(`{"operation":"download","objects":[${' '.repeat(600_000)}]}`)).toBe(413)
  expect(await statusOf('no json')).toBe(422)
  expect(await statusOf({ operation: 'delete', objects: [] })).toBe(422)
  expect(await statusOf({ operation: 'download', hash_algo: 'sha512', objects: [one] })).toBe(409)
  expect(
    await statusOf(
      { operation: 'download', objects: [one] },
      { 'Content-Type': 'text/plain', ...access },
    ),
  ).toBe(415)

  const odd = ['../../etc/passwd', oid.toUpperCase(), `${oid}0`, '']
  const { body } = await batch('download', [
    ...odd.map((each) => ({ oid: each, size: 1 })),
    { oid, size: -1 },
    { oid, size: 1.5 },
    { oid, size: 5 },
  ])
  expect(body.objects?.map(({ error }) => error?.code)).toEqual(Array(7).fill(422))

  const anonymous = await lfs('objects/batch', { operation: 'download', objects: [one] }, {})
  expect(anonymous.status).toBe(401)
  expect(anonymous.headers.get('lfs-authenticate')).toStartWith('Basic')
  for (const wrong of ['', '/', '/clients', 'a/../b', `a\n`, 'x'.repeat(2_000)])
    expect((await lfs('locks', { path: wrong })).status).toBe(422)
  expect((await lfs('nothing', {})).status).toBe(404)
  expect((await fetch(`${service.url}/git/info/lfs/objects/batch`)).status).toBe(405)
})
