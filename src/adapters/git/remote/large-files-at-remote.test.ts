import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { gitLfs, have } from '../../../../test/support/needs.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import type { ForeignCommit, RemoteStanding } from '../../../ports/content/remote-repository.ts'
import { RemoteUnavailableError } from '../../../ports/content/remote-repository.ts'
import { HttpLargeFiles } from '../lfs/remote/http-large-files.ts'
import { NoLargeFilesError } from '../lfs/remote/large-file-host.ts'
import { httpEndpoint } from '../lfs/remote/lfs-endpoint.ts'
import { git, keep, openTestStore, temporaryDirectory } from '../fixtures/open-test-store.ts'
import { MemoryBlobStore } from '../../memory/content/memory-blob-store.ts'
import { GitRemote } from './git-remote.ts'

const limits = { silentMs: 5_000, longestMs: 60_000, maxFileBytes: 2 ** 30 }
const large = (seed: string) => seed.repeat(1_500)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const pointerTo = (text: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(text)}\nsize ${text.length}\n`
const objectIn = (repository: string, text: string) => {
  const oid = sha256(text)
  return Bun.file(join(repository, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid))
}

/** A store with small bounds, a remote in a directory, and somebody's clone of that. */
async function openWorld() {
  const opening = new AsyncDisposableStack()
  const parent = await temporaryDirectory()
  opening.defer(() => rm(parent, { recursive: true, force: true }))
  const opened = await openTestStore({ largeFileBytes: 1_000 })
  opening.use(opened.store)
  const url = join(parent, 'remote.git')
  await git(parent, 'init', '-q', '--bare', '--initial-branch=main', url)
  const { directory, blobs, store } = opened
  const remote = opening.use(new GitRemote({ directory, blobs, url, token: undefined, limits }))
  const clone = join(parent, 'work')
  const lfs = ['-c', 'filter.lfs.process=git-lfs filter-process', '-c', 'filter.lfs.required=true']
  return {
    ...opened,
    url,
    remote,
    clone,
    run: (...args: readonly string[]) => git(clone, ...lfs, ...args),
    clones: () => git(parent, ...lfs, 'clone', '-q', url, clone),
    push: async () => remote.push((await store.head()) ?? ''),
    async foreign(): Promise<readonly ForeignCommit[]> {
      const standing: RemoteStanding = await remote.look((await store.head()) ?? '')
      if (standing.kind !== 'ahead') throw new Error(`the remote is ${standing.kind}`)
      return await Array.fromAsync(remote.commits(standing))
    },
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  }
}

test('large files go to a remote in a directory before the commits that point at them, each once', async () => {
  await using world = await openWorld()
  await world.write({ 'a/film.mp4': large('a'), 'a/small.txt': 'small' })
  await world.write({ 'a/film.mp4': large('b') })
  expect(await world.push()).toBe('pushed')
  expect(world.remote.lacks).toBeUndefined()
  for (const seed of ['a', 'b'])
    expect(await objectIn(world.url, large(seed)).text()).toBe(large(seed))

  await objectIn(world.url, large('a')).unlink()
  await world.write({ 'a/other.mp4': large('c') })
  expect(await world.push()).toBe('pushed')
  expect(await objectIn(world.url, large('c')).exists()).toBe(true)
  // It was brought there once, and is not thought of again.
  expect(await objectIn(world.url, large('a')).exists()).toBe(false)
})

test('what is lost here is said to be lacking there, and the rest goes on', async () => {
  await using world = await openWorld()
  await world.write({ 'a/film.mp4': large('a'), 'a/other.mp4': large('b') })
  await world.blobs.remove(sha256(large('a')))
  expect(await world.push()).toBe('pushed')
  expect(world.remote.lacks).toBe('1 large files, the first because its bytes are lost here')
  await keep(world.blobs, large('a'))
  await world.write({ tick: '1' })
  expect(await world.push()).toBe('pushed')

  expect(world.remote.lacks).toBeUndefined()
  expect(await objectIn(world.url, large('a')).text()).toBe(large('a'))
})

if (have('large files in the hands of git-lfs', gitLfs)) {
  test('stock git-lfs reads a clone of the mirror, and finds nothing wrong with it', async () => {
    await using world = await openWorld()
    const names = ['film one.mp4', 'qu"ote.mp4', 'br[1].mp4', '#x.mp4', '!x.mp4', 'Größe.mp4']
    for (const name of names) await world.write({ [`a b/${name}`]: large(name) })
    await world.write({ 'a b/forged.txt': pointerTo('nothing'), 'a b/small.txt': 'small' })
    await world.push()
    await world.clones()

    const listed = await world.run('lfs', 'ls-files', '--name-only')
    expect(listed.trim().split('\n').toSorted()).toEqual(
      [...names, 'forged.txt'].map((name) => `a b/${name}`).toSorted(),
    )
    expect(await world.run('lfs', 'fsck')).toContain('OK')
    // Of a file that is a pointer itself, git-lfs takes the pointer for the file.
    expect(await world.run('status', '--porcelain')).toBe(' M "a b/forged.txt"\n')
    for (const name of names)
      expect(await Bun.file(join(world.clone, 'a b', name)).text()).toBe(large(name))
    expect(await Bun.file(join(world.clone, 'a b/forged.txt')).text()).toBe(pointerTo('nothing'))
  })

  test('what others add with git-lfs is fetched and taken up; what they did not bring is not here', async () => {
    await using world = await openWorld()
    await world.write({ 'a/film.mp4': large('a') })
    await world.push()
    await world.clones()
    await world.run('lfs', 'track', '*.mov')
    await Bun.write(join(world.clone, 'a/theirs.mov'), large('t'))
    await world.run('add', '-A')
    await world.run('commit', '-q', '-m', 'theirs')
    await world.run('push', '-q', 'origin', 'HEAD:main')
    await Bun.write(join(world.clone, 'a/bare.mov'), pointerTo(large('n')))
    await git(world.clone, 'add', 'a/bare.mov')
    await git(world.clone, 'commit', '-q', '-m', 'no bytes')
    await git(world.clone, 'push', '-q', '--no-verify', 'origin', 'HEAD:main')
    const [theirs, bare] = await world.foreign()

    const found = theirs?.changes.map(({ path, after }) => [path, after?.contentId.length])
    expect(found).toEqual([
      ['.gitattributes', 40],
      ['a/theirs.mov', 64],
    ])
    const after = theirs?.changes[1]?.after
    expect(await after?.keep()).toEqual({ sha256: sha256(large('t')), sizeBytes: 1_500 })
    expect(await world.blobs.isIntact(sha256(large('t')))).toBe(true)
    expect(await bare?.changes[0]?.after?.keep()).toBeUndefined()
  })
}

interface Answer {
  readonly status?: number
  readonly object?: object
  readonly text?: string
  readonly bytes?: string
}

/** An LFS API that answers as it is told, and notes what it is asked. */
async function openApi(answer: Answer = {}) {
  const blobs = new MemoryBlobStore()
  const ref = (await keep(blobs, large('a'))) satisfies object
  const asked: { readonly line: string; readonly key: string | null; readonly body: string }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const key = request.headers.get('Authorization')
      asked.push({ line: `${request.method} ${pathname}`, key, body: await request.text() })
      if (!pathname.endsWith('/objects/batch')) return new Response(answer.bytes ?? large('a'))
      if (answer.text !== undefined) return new Response(answer.text)
      const actions = {
        upload: { href: new URL('/put', request.url).href, header: { Host: 'evil', 'X-A': '1' } },
        download: { href: new URL('/get', request.url).href },
        verify: { href: new URL('/verify', request.url).href },
      }
      const object = { oid: ref.sha256, size: ref.sizeBytes, actions, ...answer.object }
      return Response.json(
        { transfer: 'basic', objects: [object] },
        { status: answer.status ?? 200 },
      )
    },
  })
  const closing = new AbortController()
  const host = new HttpLargeFiles({
    endpoint: async () =>
      httpEndpoint(`http://ada@127.0.0.1:${server.port}/acme/assets`, new Secret('top secret')),
    blobs,
    limits,
    signal: closing.signal,
  })
  return {
    blobs,
    ref,
    asked,
    host,
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await server.stop(true)
    },
  }
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('an upload asks, sends and verifies, with the credentials of the remote', async () => {
  await using api = await openApi()
  expect(await api.host.upload([api.ref])).toEqual([])

  expect(api.asked.map(({ line }) => line)).toEqual([
    'POST /acme/assets.git/info/lfs/objects/batch',
    'PUT /put',
    'POST /verify',
  ])
  const key = `Basic ${Buffer.from('ada:top secret').toString('base64')}`
  expect(api.asked.every((each) => each.key === key)).toBe(true)
  expect(api.asked[1]?.body).toBe(large('a'))
  expect(JSON.parse(api.asked[2]?.body ?? '')).toEqual({ oid: api.ref.sha256, size: 1_500 })
})

test('what is there already is not sent, and what the remote refuses is told with its reason', async () => {
  await using there = await openApi({ object: { actions: undefined } })
  expect(await there.host.upload([there.ref])).toEqual([])
  expect(there.asked).toHaveLength(1)

  await using refusing = await openApi({ object: { error: { code: 422, message: 'too large' } } })
  expect(await refusing.host.upload([refusing.ref])).toEqual([
    { ref: refusing.ref, why: 'the remote says 422: too large' },
  ])
})

test('a download is verified and kept; other bytes, too many and too few, are not', async () => {
  await using api = await openApi()
  await api.blobs.remove(api.ref.sha256)
  expect(await api.host.download([api.ref])).toEqual([])
  expect(await api.blobs.isIntact(api.ref.sha256)).toBe(true)

  for (const bytes of [large('b'), 'short', large('a') + large('a')]) {
    await using other = await openApi({ bytes })
    await other.blobs.remove(other.ref.sha256)
    expect(await other.host.download([other.ref])).toEqual([
      { ref: other.ref, why: 'the remote sends other bytes' },
    ])
    expect(await Array.fromAsync(other.blobs.list())).toEqual([])
  }
})

test('one file can be read from the remote, and is not there where the remote does not have it', async () => {
  await using api = await openApi()
  expect(await new Response(await api.host.open(api.ref)).text()).toBe(large('a'))
  await using missing = await openApi({ object: { error: { code: 404, message: 'gone' } } })
  expect(await missing.host.open(missing.ref)).toBeUndefined()
})

test('a remote without an LFS API is told from one that is out of order', async () => {
  for (const status of [401, 403, 404, 410, 501]) {
    await using api = await openApi({ status })
    expect(await failureOf(api.host.upload([api.ref]))).toBeInstanceOf(NoLargeFilesError)
  }
  for (const status of [429, 500, 503]) {
    await using api = await openApi({ status })
    expect(await failureOf(api.host.upload([api.ref]))).toBeInstanceOf(RemoteUnavailableError)
  }
})

test('whatever a remote says, it costs little and leads nowhere odd', async () => {
  const odd: Answer[] = [
    { text: '<html>' },
    { text: '[]' },
    { text: '{"objects":{}}' },
    { text: '{"transfer":"tus","objects":[]}' },
    { text: 'x'.repeat(5_000_000) },
    { object: { actions: { upload: { href: 'file:///etc/passwd' } } } },
    { object: { actions: { upload: { href: 7 } } } },
  ]
  for (const answer of odd) {
    await using api = await openApi(answer)
    expect(await failureOf(api.host.upload([api.ref]))).toBeInstanceOf(NoLargeFilesError)
    expect(api.asked).toHaveLength(1)
  }
  await using silent = await openApi({ text: '{"objects":[null,7,{"oid":"x"}]}' })
  expect(await silent.host.upload([silent.ref])).toEqual([
    { ref: silent.ref, why: 'the remote says nothing of it' },
  ])
})

test('a remote that has no LFS gets the commits, and it is said what they lack', async () => {
  await using world = await openWorld()
  await world.write({ 'a/film.mp4': large('a') })
  const copy = `${world.url}-over-git`
  await cp(world.url, copy, { recursive: true })
  const { directory, blobs } = world
  await using remote = new GitRemote({
    directory,
    blobs,
    url: `./../../..${copy}`,
    token: undefined,
    limits,
  })

  expect(await remote.push((await world.store.head()) ?? '')).toBe('pushed')
  expect(remote.lacks).toContain('reached neither by http, https or SSH nor as a directory')
})
