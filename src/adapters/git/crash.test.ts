import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { git, openTestStore, temporaryDirectory } from './fixtures/open-test-store.ts'

const writer = join(import.meta.dir, 'fixtures', 'writer.fixture.ts')

function startWriter(directory: string, prefix: string, wrapper: readonly string[] = []) {
  return Bun.spawn([...wrapper, process.execPath, writer, directory, prefix], {
    stdout: 'pipe',
    stderr: 'ignore',
    detached: true,
  })
}

/** The whole process group: a tracer that is killed lets go of what it traces, which then goes on. */
async function killWriter(child: Writer): Promise<void> {
  process.kill(-child.pid, 'SIGKILL')
  await child.exited
}

test('of a writer killed at any moment every answered commit is there, and the next write works', async () => {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = createRandom(seed)
  const answered: string[] = []
  try {
    for (let cycle = 0; cycle < 20; cycle += 1) {
      const child = startWriter(directory, `cycle-${cycle}`)
      const killAfter = 1 + Math.floor(random() * 60)
      answered.push(...(await readUntilKilled(child, killAfter, random() * 4)))

      const opened = await openTestStore({ directory })
      await using store = opened.store
      expect(await opened.write({ [`after-${cycle}`]: 'x' }), `seed ${seed}`).toBeDefined()
      if (cycle % 5 === 4) expect(await store.verify(), `seed ${seed}`).toEqual([])
      const unfinished = (await readdir(join(directory, 'objects', 'pack'))).filter((name) =>
        name.startsWith('tmp_sedge_'),
      )
      expect(unfinished).toEqual([])
    }
    const reachable = new Set((await git(directory, 'rev-list', 'main')).split('\n'))
    expect(
      answered.filter((id) => !reachable.has(id)),
      `seed ${seed}`,
    ).toEqual([])
    expect(answered.length).toBeGreaterThan(20)
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}, 120_000)

test('a lock of our own that a kill left is no hindrance', async () => {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  try {
    await (await openTestStore({ directory })).store[Symbol.asyncDispose]()
    const value = join(directory, 'sedge-next-main-1')
    await writeFile(value, `${'0'.repeat(40)}\n`)
    await git(directory, 'config', 'core.bare', 'true')
    await Bun.spawn(['ln', value, join(directory, 'refs/heads/main.lock')]).exited
    await writeFile(join(directory, 'objects/pack/tmp_sedge_1_pack'), 'PACK')
    const opened = await openTestStore({ directory })
    await using _ = opened.store
    const started = performance.now()

    expect(await opened.write({ a: '1' })).toBeDefined()
    expect(performance.now() - started).toBeLessThan(1000)
    expect(existsSync(value)).toBe(false)
    expect(existsSync(join(directory, 'objects/pack/tmp_sedge_1_pack'))).toBe(false)
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
})

test('a branch that points to what is not there is refused at the start', async () => {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  try {
    await (await openTestStore({ directory })).store[Symbol.asyncDispose]()
    await writeFile(join(directory, 'refs/heads/main'), `${'1'.repeat(40)}\n`)

    expect(openTestStore({ directory })).rejects.toThrow('1'.repeat(40))
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
})

test('on a full disk a write is refused for now, the old state stays, and space makes it work', async () => {
  await using disk = await smallDisk()
  if (!disk) return
  const opened = await openTestStore({ directory: join(disk.path, 'repository.git') })
  await using store = opened.store
  const first = await opened.write({ a: '1' })
  const ballast = join(disk.path, 'ballast')
  await disk.fill(ballast)

  for (const size of [100_000, 2_000_000, 300_000])
    expect(opened.write({ b: randomText(size) })).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      store: 'content',
      final: false,
    })
  expect(await store.head()).toBe(first?.id)
  expect(new TextDecoder().decode(await store.read('a'))).toBe('1')
  await rm(ballast)
  expect((await opened.write({ b: '2' }))?.parentId).toBe(first?.id)
  expect(await store.verify()).toEqual([])
})

test('a failed flush is final: everything after it is refused, and what was answered is there', async () => {
  const strace = Bun.which('strace')
  if (!strace) return skip('strace', 'the package strace')
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  try {
    await (await openTestStore({ directory })).store[Symbol.asyncDispose]()
    for (const when of [3, 10, 17]) {
      const inject = `inject=fsync:error=EIO:when=${when}+`
      const child = startWriter(directory, `eio-${when}`, [
        strace,
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        inject,
      ])
      const lines = await linesOf(child).until((line) => line.startsWith('refused'), 3)
      await killWriter(child)
      const refusals = lines.findIndex((line) => line.startsWith('refused'))
      expect(lines.slice(refusals).every((line) => line.startsWith('refused'))).toBe(true)
      const opened = await openTestStore({ directory })
      await using store = opened.store
      const reachable = await git(directory, 'rev-list', 'main', '--').catch(() => '')
      for (const line of lines.slice(0, refusals))
        expect(reachable).toContain(line.split(' ')[0] ?? '')
      expect(await store.verify()).toEqual([])
      expect(await opened.write({ [`after-${when}`]: '1' })).toBeDefined()
    }
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}, 60_000)

type Writer = ReturnType<typeof startWriter>

/** The ids that the writer was answered; it is killed some milliseconds after the given number. */
async function readUntilKilled(child: Writer, count: number, milliseconds: number) {
  const output = linesOf(child)
  await output.until(() => true, count)
  await Bun.sleep(milliseconds)
  await killWriter(child)
  const lines = await output.until(() => false, 1)
  return lines.map((line) => line.split(' ')[0] ?? '')
}

/** The whole lines a writer has printed. */
function linesOf(child: Writer) {
  const reader = child.stdout.getReader()
  let text = ''
  return {
    /** Resolves once `count` of them are of the wanted kind, or the writer has ended. */
    async until(isWanted: (line: string) => boolean, count: number): Promise<string[]> {
      for (;;) {
        const { done, value } = await reader.read()
        text += value ? Buffer.from(value).toString() : ''
        const lines = text.split('\n').slice(0, -1)
        if (done || lines.filter(isWanted).length >= count) return lines
      }
    },
  }
}

/** A file system of 8 MB, where this user may mount one. */
async function smallDisk() {
  const path = await temporaryDirectory()
  const mounted = Bun.which('mount')
    ? await Bun.spawn(['mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], {
        stderr: 'ignore',
      }).exited
    : 1
  if (mounted !== 0) {
    await rm(path, { recursive: true })
    skip('a small tmpfs', 'root and mount(8)')
    return undefined
  }
  return {
    path,
    async fill(file: string) {
      await Bun.spawn(['dd', 'if=/dev/zero', `of=${file}`, 'bs=16k'], { stderr: 'ignore' }).exited
    },
    async [Symbol.asyncDispose]() {
      await Bun.spawn(['umount', '-l', path]).exited
      await rm(path, { recursive: true, force: true })
    },
  }
}

const skip = (what: string, how: string) =>
  console.log(`skipped: needs ${what}; get it with ${how}`)

/** Text that does not deflate much. */
const randomText = (size: number) =>
  Array.from({ length: Math.ceil(size / 36) }, () => crypto.randomUUID()).join('')

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
