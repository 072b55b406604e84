import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  ContentFiles,
  type ContentFilesOptions,
  openContentFiles,
  WrongContentError,
} from './content-files.ts'
import { isFullDisk } from './file-faults.ts'

const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const bytesOf = (text: string) => new Blob([text]).stream()
/** Ten bytes each, all different. */
const textAt = (index: number) => `text ${String(index).padStart(5, '0')}`

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-content-'))
  const asked: string[] = []
  let at = 1_000_000
  const options: ContentFilesOptions = { directory, maxBytes: 1_000, now: () => at }
  return {
    directory,
    asked,
    open: (more: Partial<ContentFilesOptions> = {}) => openContentFiles({ ...options, ...more }),
    /** Another process's view of the same directory. */
    join: (more: Partial<ContentFilesOptions> = {}) => new ContentFiles({ ...options, ...more }),
    /** Fills with a text, unless it is there. */
    async fill(files: ContentFiles, text: string) {
      return await files.fill(hashOf(text), async () => {
        asked.push(text)
        return bytesOf(text)
      })
    },
    wait: (ms: number) => {
      at += ms
    },
    async onDisk() {
      const found = await readdir(directory, { recursive: true, withFileTypes: true })
      return found.filter((each) => each.isFile()).map(({ name }) => name)
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

const textOf = async (found: { readonly path: string } | undefined) =>
  found && (await Bun.file(found.path).text())

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )

test('what is fetched once is found from then on, by path and by bytes', async () => {
  await using world = await setUp()
  await using files = await world.open()
  const name = hashOf('hello')

  expect(await files.find(name)).toBeUndefined()
  expect(files.touch(name)).toBe(false)
  expect(await textOf(await world.fill(files, 'hello'))).toBe('hello')
  expect(await files.find(name)).toEqual({ path: files.pathOf(name), sizeBytes: 5 })
  expect(await textOf(await world.fill(files, 'hello'))).toBe('hello')
  expect(Buffer.from((await files.read(name)) ?? []).toString()).toBe('hello')
  expect(files.touch(name)).toBe(true)
  expect(files.sizeBytes).toBe(5)
  expect(world.asked).toEqual(['hello'])
})

test('many who ask at once share one fetch, whatever it brings', async () => {
  await using world = await setUp()
  await using files = await world.open()
  const all = await Promise.all(Array.from({ length: 20 }, () => world.fill(files, 'hello')))
  expect(await Promise.all(all.map(textOf))).toEqual(Array.from({ length: 20 }, () => 'hello'))
  expect(world.asked).toEqual(['hello'])

  let fetches = 0
  const nothing = async () => {
    fetches += 1
    return undefined
  }
  const name = hashOf('nobody has it')
  expect(await Promise.all([files.fill(name, nothing), files.fill(name, nothing)])).toEqual([
    undefined,
    undefined,
  ])
  expect(fetches).toBe(1)
})

test('what is no name never becomes a path', async () => {
  await using world = await setUp()
  await using files = await world.open()

  for (const wrong of ['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}\0`]) {
    expect(await files.find(wrong)).toBeUndefined()
    expect(await files.fill(wrong, async () => bytesOf('hello'))).toBeUndefined()
    expect(await files.removeIfDamaged(wrong)).toBe(false)
  }
  expect(await world.onDisk()).toEqual([])
})

test('other bytes than were asked for are refused, and right ones are taken the next time', async () => {
  await using world = await setUp()
  await using files = await world.open()
  const name = hashOf('right')

  expect(await failureOf(files.fill(name, async () => bytesOf('wrong')))).toBeInstanceOf(
    WrongContentError,
  )
  expect(await world.onDisk()).toEqual([])
  expect(await textOf(await files.fill(name, async () => bytesOf('right')))).toBe('right')
})

test('a source that breaks off fails all who wait with its own error, and leaves nothing', async () => {
  await using world = await setUp()
  await using files = await world.open()
  const broken = new Error('the line went dead')
  async function* source() {
    yield new TextEncoder().encode('hel')
    throw broken
  }
  const name = hashOf('hello')
  const both = [files.fill(name, async () => source()), files.fill(name, async () => source())]

  expect(await Promise.all(both.map(failureOf))).toEqual([broken, broken])
  expect(await world.onDisk()).toEqual([])
  expect(await textOf(await world.fill(files, 'hello'))).toBe('hello')
})

test('what an earlier process left is taken up, and hashed before its first use', async () => {
  await using world = await setUp()
  {
    await using first = await world.open()
    for (const text of ['good', 'torn', 'zero']) await world.fill(first, text)
  }
  await using second = await world.open()
  await writeFile(second.pathOf(hashOf('torn')), 'to')
  await writeFile(second.pathOf(hashOf('zero')), '\0\0\0\0')
  world.asked.length = 0

  expect(second.sizeBytes).toBe(12)
  expect(await textOf(await second.find(hashOf('good')))).toBe('good')
  expect(await second.find(hashOf('torn'))).toBeUndefined()
  expect(await textOf(await world.fill(second, 'zero'))).toBe('zero')
  expect(world.asked).toEqual(['zero'])
  expect(second.sizeBytes).toBe(8)
  expect(existsSync(second.pathOf(hashOf('torn')))).toBe(false)
})

test('a file that changed, shrank or went while it was known is not given out', async () => {
  await using world = await setUp()
  await using files = await world.open()
  for (const text of ['changed', 'shrunk', 'gone']) await world.fill(files, text)
  await writeFile(files.pathOf(hashOf('changed')), 'CHANGED')
  await utimes(files.pathOf(hashOf('changed')), 1, 1)
  await writeFile(files.pathOf(hashOf('shrunk')), 'sh')
  await rm(files.pathOf(hashOf('gone')))

  for (const text of ['changed', 'shrunk', 'gone']) {
    expect(files.looksIntact(hashOf(text))).toBe(false)
    expect(await files.find(hashOf(text))).toBeUndefined()
  }
  expect(files.sizeBytes).toBe(0)
  expect(await world.onDisk()).toEqual([])
})

test('bytes that changed behind an unchanged size and time are found by whoever looks at them', async () => {
  await using world = await setUp()
  await using files = await world.open()
  for (const text of ['hello', 'there']) {
    const { path = '' } = (await world.fill(files, text)) ?? {}
    const { atime, mtime } = await stat(path)
    await writeFile(path, 'jello')
    await utimes(path, atime, mtime)
  }

  expect(await files.read(hashOf('hello'))).toBeUndefined()
  expect(await files.removeIfDamaged(hashOf('there'))).toBe(true)
  expect(await files.removeIfDamaged(hashOf('there'))).toBe(false)
  expect(await world.onDisk()).toEqual([])
  expect(files.sizeBytes).toBe(0)
})

test('a process killed in the middle of a fill leaves nothing that anybody is given', async () => {
  await using world = await setUp()
  const module = new URL('content-files.ts', import.meta.url).href
  const script = `import { openContentFiles } from ${JSON.stringify(module)}
    const [directory, name] = process.argv.slice(-2)
    const files = await openContentFiles({ directory, maxBytes: 1e9, now: () => 0 })
    await files.fill(name, async () => (async function* () {
      yield new Uint8Array(1e6)
      console.log('half')
      await new Promise((resolve) => setTimeout(resolve, 1e6))
    })())`
  const name = new Bun.CryptoHasher('sha256').update(new Uint8Array(1e6)).digest('hex')
  await using child = Bun.spawn([process.execPath, '-e', script, world.directory, name], {
    stdout: 'pipe',
  })
  await child.stdout.getReader().read()
  child.kill('SIGKILL')
  await child.exited
  expect((await world.onDisk()).length).toBe(1)
  await using files = await world.open()

  expect(await world.onDisk()).toEqual([])
  expect(await files.find(name)).toBeUndefined()
  expect(files.sizeBytes).toBe(0)
})

test('a full disk fails the fill and nothing else', async () => {
  await using world = await setUp()
  const module = new URL('content-files.ts', import.meta.url).href
  const script = `import { openContentFiles } from ${JSON.stringify(module)}
    const [directory, small, large] = process.argv.slice(-3)
    const files = await openContentFiles({ directory, maxBytes: 1e9, now: () => 0 })
    const fill = (name, bytes) => files.fill(name, async () => new Blob([bytes]).stream())
    await fill(small, new Uint8Array(1000))
    const code = await fill(large, new Uint8Array(1e6)).then(() => 'none', (error) => error.code)
    console.log(JSON.stringify({ code, isThere: (await files.find(small)) !== undefined, sizeBytes: files.sizeBytes }))`
  const names = [1000, 1e6].map((sizeBytes) =>
    new Bun.CryptoHasher('sha256').update(new Uint8Array(sizeBytes)).digest('hex'),
  )
  await using child = Bun.spawn(
    [
      'sh',
      '-c',
      `trap '' XFSZ && ulimit -f 200 && exec "$0" "$@"`,
      process.execPath,
      '-e',
      script,
      world.directory,
      ...names,
    ],
    { stdout: 'pipe' },
  )
  const told = (await new Response(child.stdout).json()) as { readonly code: string }

  expect(told).toMatchObject({ isThere: true, sizeBytes: 1000 })
  expect(isFullDisk(Object.assign(new Error(), { code: told.code }))).toBe(true)
  expect(await world.onDisk()).toEqual([names[0] ?? ''])
})

test('what was used longest ago leaves first, and its file outlives its last use by the grace', async () => {
  await using world = await setUp()
  const evicted: string[] = []
  await using files = await world.open({ maxBytes: 25, onEvict: (name) => evicted.push(name) })
  const [one = '', two = '', three = ''] = [1, 2, 3].map((index) => hashOf(textAt(index)))
  await world.fill(files, textAt(1))
  const opened = await world.fill(files, textAt(2))
  files.touch(one)
  await world.fill(files, textAt(3))

  expect(evicted).toEqual([two])
  expect(files.sizeBytes).toBe(20)
  // Somebody may have been about to open it.
  expect(await textOf(opened)).toBe(textAt(2))
  world.wait(60_000)
  files.touch(one)
  files.touch(three)
  await world.fill(files, textAt(4))
  await files.settled()
  expect(existsSync(files.pathOf(two))).toBe(false)
  // The last to leave was used a moment ago.
  expect(await world.onDisk()).toHaveLength(3)
})

test('a file that is to leave and is used again stays, in place of another', async () => {
  await using world = await setUp()
  await using files = await world.open({ maxBytes: 25 })
  for (const index of [1, 2, 3]) await world.fill(files, textAt(index))
  expect(files.touch(hashOf(textAt(1)))).toBe(true)
  world.wait(100_000)
  files.touch(hashOf(textAt(1)))
  await world.fill(files, textAt(4))
  await files.settled()

  const left = await Promise.all([1, 2, 3, 4].map((index) => files.find(hashOf(textAt(index)))))
  expect(left.map((found) => found !== undefined)).toEqual([true, false, false, true])
})

test('a file that is removed while it is read is read to its end', async () => {
  await using world = await setUp()
  await using files = await world.open({ maxBytes: 1 })
  const text = 'x'.repeat(3_000_000)
  const { path = '' } = (await world.fill(files, text)) ?? {}
  const reader = Bun.file(path).stream().getReader()
  let readBytes = (await reader.read()).value?.length ?? 0
  await files.remove(hashOf(text))
  expect(existsSync(path)).toBe(false)
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    readBytes += piece.value.length

  expect(readBytes).toBe(3_000_000)
})

test('bytes that are put back while their file is being removed are there', async () => {
  await using world = await setUp()
  await using files = await world.open()
  const name = hashOf('hello')
  for (let round = 0; round < 50; round += 1) {
    await world.fill(files, 'hello')
    const removal = files.remove(name)
    const found = await world.fill(files, 'hello')
    await removal
    expect(await textOf(found)).toBe('hello')
    expect(await textOf(await files.find(name))).toBe('hello')
  }
})

test('the bound holds however many fill at once, in memory at once and on disk after the grace', async () => {
  await using world = await setUp()
  await using files = await world.open({ maxBytes: 105 })
  const sizes: number[] = []
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      await world.fill(files, textAt(index % 120))
      sizes.push(files.sizeBytes)
    }),
  )

  expect(Math.max(...sizes)).toBeLessThanOrEqual(105)
  expect(files.sizeBytes).toBe(100)
  world.wait(60_000)
  await world.fill(files, textAt(999))
  await files.settled()
  expect(await world.onDisk()).toHaveLength(10)
})

test('a file larger than all the room stays alone until the next comes', async () => {
  await using world = await setUp()
  await using files = await world.open({ maxBytes: 25 })
  await world.fill(files, textAt(1))
  await world.fill(files, 'y'.repeat(100))
  expect(files.sizeBytes).toBe(100)
  await world.fill(files, textAt(2))

  expect(files.sizeBytes).toBe(10)
})

test('a smaller bound after a restart is kept to, the oldest files first', async () => {
  await using world = await setUp()
  {
    await using first = await world.open()
    for (const index of [1, 2, 3, 4]) {
      const { path = '' } = (await world.fill(first, textAt(index))) ?? {}
      await utimes(path, 1000 - index, 1000 - index)
    }
  }
  await using second = await world.open({ maxBytes: 20 })

  expect([...second.names()].toSorted()).toEqual([1, 2].map((n) => hashOf(textAt(n))).toSorted())
  await second.settled()
  expect(await world.onDisk()).toHaveLength(2)
})

test('files of others are neither counted nor touched', async () => {
  await using world = await setUp()
  await mkdir(join(world.directory, 'aa'))
  const others = [join('aa', 'README'), join('aa', `bb${'0'.repeat(62)}`), 'notes']
  for (const path of others) await writeFile(join(world.directory, path), 'hello')
  await symlink(world.directory, join(world.directory, 'aa', `aa${'0'.repeat(62)}`))
  await using files = await world.open({ maxBytes: 0 })

  expect(files.sizeBytes).toBe(0)
  for (const path of others) expect(existsSync(join(world.directory, path))).toBe(true)
})

test('a clock that goes back keeps no file for longer than its grace', async () => {
  await using world = await setUp()
  await using files = await world.open({ maxBytes: 15 })
  await world.fill(files, textAt(1))
  world.wait(-3_600_000)
  await world.fill(files, textAt(2))
  world.wait(60_000)
  await world.fill(files, textAt(3))
  await files.settled()

  expect(existsSync(files.pathOf(hashOf(textAt(1))))).toBe(false)
  expect(await world.onDisk()).toHaveLength(1)
})

test('names may say more than a SHA-256, and sizes so that no file is looked at', async () => {
  await using world = await setUp()
  const meaningOf = (name: string) => {
    const { digest, size } = /^(?<digest>[0-9a-f]{16})\.(?<size>\d+)$/u.exec(name)?.groups ?? {}
    return digest === undefined ? undefined : { digest, sizeBytes: Number(size) }
  }
  const name = `${hashOf('hello').slice(0, 16)}.5`
  {
    await using files = await world.open({ meaningOf })
    const path = files.newPath()
    await writeFile(path, 'hello')
    expect(await textOf(await files.adopt(path, name))).toBe('hello')
    expect(await files.find(hashOf('hello'))).toBeUndefined()
  }
  await using files = await world.open({ meaningOf })
  expect(files.sizeBytes).toBe(5)
  expect(await textOf(await files.find(name))).toBe('hello')
})

test('a file without use for the grace is gone, and one that comes back in time is not', async () => {
  await using world = await setUp()
  await using files = await world.open({ graceMs: 5_000 })
  const [one, two] = [hashOf(textAt(1)), hashOf(textAt(2))]
  for (const index of [1, 2]) {
    await world.fill(files, textAt(index))
    files.evict(hashOf(textAt(index)))
  }
  expect(files.sizeBytes).toBe(0)
  expect(files.looksIntact(one)).toBe(true)
  expect(files.touch(one)).toBe(true)
  world.wait(5_000)
  files.evict(one)
  await files.settled()

  expect(files.touch(two)).toBe(false)
  expect(await world.onDisk()).toEqual([one])
})

test('two processes that share a directory find what the other has filled', async () => {
  await using world = await setUp()
  await using one = await world.open({ isShared: true })
  await using other = world.join({ isShared: true })
  const name = hashOf('hello')
  await world.fill(one, 'hello')

  expect(other.touch(name)).toBe(false)
  expect(await textOf(await other.find(name))).toBe('hello')
  expect(other.touch(name)).toBe(true)
  await one.remove(name)
  expect(await other.find(name)).toBeUndefined()
  expect(other.touch(name)).toBe(false)
})

test('of a shared directory goes what no process has used of late', async () => {
  await using world = await setUp()
  const shared = { isShared: true, maxBytes: 35 }
  await using one = await world.open(shared)
  await using other = world.join(shared)
  for (const index of [1, 2, 3]) await world.fill(one, textAt(index))
  await other.find(hashOf(textAt(1)))
  world.wait(70_000)
  expect(other.touch(hashOf(textAt(1)))).toBe(true)
  await world.fill(one, textAt(4))

  const left = await Promise.all([1, 2, 3, 4].map((index) => one.find(hashOf(textAt(index)))))
  expect(left.map((found) => found !== undefined)).toEqual([true, false, true, true])
})

test('times ahead of the clock do not keep the files of a shared directory for ever', async () => {
  await using world = await setUp()
  await using files = await world.open({ isShared: true, maxBytes: 25 })
  for (const index of [1, 2]) await world.fill(files, textAt(index))
  world.wait(-500_000)
  await world.fill(files, textAt(3))
  expect(await world.onDisk()).toHaveLength(3)
  world.wait(61_000)
  await world.fill(files, textAt(4))

  expect(await world.onDisk()).toHaveLength(2)
  expect(files.touch(hashOf(textAt(4)))).toBe(true)
})
