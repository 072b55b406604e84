import { expect, test } from 'bun:test'
import { connect, createServer } from 'node:net'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { openTestStore } from '../../src/adapters/git/fixtures/open-test-store.ts'
import { GitRemote } from '../../src/adapters/git/remote/git-remote.ts'
import { Secret } from '../../src/lib/secrets/secret.ts'
import { runGit } from '../support/git-client.ts'
import { openGitServer } from '../support/git-server.ts'
import { openRoughProxy } from '../support/rough-proxy.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const limits = { silentMs: 1_500, maxFileBytes: 2 ** 30, longestMs: 20_000 }
const incompressible = (sizeBytes: number): Uint8Array =>
  Buffer.concat(
    Array.from({ length: sizeBytes / 65_536 }, () =>
      crypto.getRandomValues(new Uint8Array(65_536)),
    ),
  )

async function openWorld(address: string, token?: string) {
  const opened = await openTestStore()
  const { directory, blobs } = opened
  const secret = token === undefined ? undefined : new Secret(token)
  const remote = new GitRemote({ directory, blobs, url: address, token: secret, limits })
  return {
    ...opened,
    remote,
    head: async () => (await opened.store.head()) ?? '',
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]()
      await opened.store[Symbol.asyncDispose]()
    },
  }
}

const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  )

for (const kind of ['cut', 'reset', 'black hole'] as const)
  test(`a network that is ${kind} in the middle of a push fails it, and a later one goes through`, async () => {
    await using host = await openGitServer()
    await using proxy = await openRoughProxy(host.url)
    await using world = await openWorld(`${proxy.url}/mirror.git`)
    await world.write({ a: incompressible(4 * 2 ** 20) })
    proxy.set({ kind: 'delay', ms: 50 })
    const pushing = outcomeOf(world.remote.push(await world.head()))
    await Bun.sleep(400)
    proxy.set({ kind })
    const outcome = await pushing
    expect(['done', 'RemoteUnavailableError']).toContain(outcome)
    proxy.set({ kind: 'clear' })

    expect((await world.remote.look(await world.head())).kind).toBe('behind')
    // The host may still be at work on what it got of the first one.
    await until(async () => (await outcomeOf(world.remote.push(await world.head()))) === 'done')
    await runGit(host.directory, 'fsck', '--strict')
    expect(await world.store.verify()).toEqual([])
  }, 60_000)

/** Lets so many bytes of each connection's answers through, and then ends it. */
async function openShortProxy(port: number, bytes: number) {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let left = bytes
    near.pipe(far)
    far.on('data', (piece: Buffer) => {
      near.write(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) near.end()
    })
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.on('close', () => (near.destroy(), far.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mirror.git`,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

test('answers that end early, wherever that is, leave nothing half done', async () => {
  await using host = await openGitServer()
  await using world = await openWorld(host.url)
  await world.write({ a: '1' })
  await world.remote.push(await world.head())
  const { directory, blobs } = world
  await using work = await temporaryDirectory()
  await runGit(work.path, 'clone', '-q', host.directory, 'work')
  const clone = join(work.path, 'work')
  await Bun.write(join(clone, 'b'), incompressible(2 ** 20))
  await runGit(clone, 'add', '-A')
  await runGit(clone, 'commit', '-q', '-m', 'theirs')
  await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')

  for (const bytes of [1, 20, 100, 300, 600, 1_000, 5_000, 300_000]) {
    await using proxy = await openShortProxy(host.port, bytes)
    await using remote = new GitRemote({
      directory,
      blobs,
      url: proxy.url,
      token: undefined,
      limits,
    })
    const found = await remote.look(await world.head()).catch((error: Error) => error.name)
    // A status line alone is a whole response of a host without a branch; the push finds out.
    const isEmpty = Bun.deepEquals(found, { kind: 'behind', id: undefined })
    expect({ bytes, found }).toEqual({ bytes, found: isEmpty ? found : 'RemoteUnavailableError' })
    expect(await world.remote.push(await world.head())).toBe('moved')
  }
  expect(await world.store.verify()).toEqual([])
  // What git left of the packs that broke off goes once nobody can be writing it any more.
  const packs = join(directory, 'objects', 'pack')
  const unfinished = async () =>
    (await readdir(packs))
      .filter((name) => name.startsWith('tmp_'))
      .map((name) => join(packs, name))
  for (const path of await unfinished()) await utimes(path, 1, 1)
  await using remote = new GitRemote({ directory, blobs, url: host.url, token: undefined, limits })
  expect((await remote.look(await world.head())).kind).toBe('ahead')
  expect(await unfinished()).toEqual([])
}, 120_000)

test('the token is shown to the host that is named alone, and to nobody who reads messages', async () => {
  await using host = await openGitServer({ password: 'the-secret-token' })
  await using other = await openGitServer({ password: 'something else' })
  const redirecting = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname, search } = new URL(url)
      return Response.redirect(`http://127.0.0.1:${other.port}${pathname}${search}`)
    },
  })
  await using right = await openWorld(host.url, 'the-secret-token')
  await right.write({ a: '1' })
  expect(await right.remote.push(await right.head())).toBe('pushed')
  expect(host.passwords).toContain('the-secret-token')

  await using wrong = await openWorld(host.url, 'a-wrong-token')
  await wrong.write({ a: '1' })
  const refused = await wrong.remote.look(await wrong.head()).catch((error: Error) => error.message)
  expect(refused).toContain('Authentication failed')
  expect(refused).not.toContain('a-wrong-token')

  await using led = await openWorld(`${redirecting.url.href}mirror.git`, 'the-secret-token')
  await led.write({ a: '1' })
  expect(await outcomeOf(led.remote.push(await led.head()))).toBe('RemoteUnavailableError')
  expect(other.passwords).toEqual([])
  await redirecting.stop(true)
}, 60_000)

test('a service that is killed in the middle of its pushes leaves a mirror that goes on', async () => {
  await using host = await openGitServer()
  await using directory = await temporaryDirectory()
  const options = { dataDirectory: directory.path, environment: { GIT_REMOTE: host.url } }
  for (const delayMs of [900, 1_050, 1_200]) {
    const service = await startService(options)
    const body = JSON.stringify({ Name: 'acme' })
    await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
    const address = `${service.url}/api/storage/acme/v1/logos/${delayMs}.bin`
    await fetch(address, {
      method: 'PUT',
      headers: access,
      body: Buffer.from(incompressible(2 ** 20)),
    })
    await Bun.sleep(delayMs)
    await service.kill()
  }
  await using service = await startService(options)
  const body = 'last'
  await fetch(`${service.url}/api/storage/acme/v1/logos/last.txt`, {
    method: 'PUT',
    headers: access,
    body,
  })
  expect(await service.stop()).toBe(0)

  const head = await runGit(join(directory.path, 'repository.git'), 'rev-parse', 'main')
  expect(await runGit(host.directory, 'rev-parse', 'main')).toBe(head)
  await runGit(host.directory, 'fsck', '--strict')
}, 90_000)
