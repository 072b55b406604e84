import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import type { Change, Commit } from '../../../ports/content/content-store.ts'
import { MemoryBlobStore } from '../../memory/content/memory-blob-store.ts'
import { git, openTestStore } from '../fixtures/open-test-store.ts'

const above = 1_000
const directory = 'clients/acme/v1/titles'
const film = `${directory}/film.mp4`

const bytesOf = (seed: string, sizeBytes = 1_500) => seed.repeat(sizeBytes).slice(0, sizeBytes)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const pointerTo = (text: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(text)}\nsize ${text.length}\n`
const line = (name: string) => `/${name} filter=lfs diff=lfs merge=lfs -text\n`

async function open(options: Parameters<typeof openTestStore>[0] = {}) {
  const opened = await openTestStore({ largeFileBytes: above, ...options })
  const { store, directory: repository } = opened
  return {
    ...opened,
    /** What git itself has at a path. */
    inGit: (path: string) => git(repository, 'cat-file', 'blob', `main:${path}`),
    change: (...changes: readonly Change[]) =>
      store.commit({ subject: 'test', author: 'tester' }, async () => changes),
    text: async (path: string) => {
      const bytes = await store.read(path)
      return bytes && Buffer.from(bytes).toString()
    },
    contentOf: async (path: string) => {
      const found = await store.find(path)
      return found?.kind === 'file' ? { id: found.contentId, blob: await found.blob() } : undefined
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const isNowhere = async (asked: Promise<unknown>) =>
  await asked.then(
    () => false,
    () => true,
  )

test('git has a pointer to a large file and a line for it, and readers have the file', async () => {
  await using house = await open()
  const large = bytesOf('a')
  const exact = bytesOf('b', above)
  const commit = await house.write({ [film]: large, [`${directory}/small.mp4`]: exact })

  expect(await house.inGit(film)).toBe(pointerTo(large))
  expect(await house.inGit(`${directory}/.gitattributes`)).toBe(line('film.mp4'))
  expect(await house.inGit(`${directory}/small.mp4`)).toBe(exact)
  expect(await house.text(film)).toBe(large)
  const ref = { sha256: sha256(large), sizeBytes: large.length }
  expect(await house.contentOf(film)).toEqual({ id: ref.sha256, blob: ref })
  expect(commit?.changes.map(({ path }) => path)).toEqual([film, `${directory}/small.mp4`])
  expect(await house.store.verify()).toEqual([])
})

test('attributes are in no listing, and cannot be found or read', async () => {
  await using house = await open()
  await house.write({ [film]: bytesOf('a') })

  expect(await house.store.children(directory)).toEqual([{ name: 'film.mp4', kind: 'file' }])
  expect((await house.store.filesBelow('')).map(({ path }) => path)).toEqual([film])
  expect(await house.store.find(`${directory}/.gitattributes`)).toBeUndefined()
  expect(await house.text(`${directory}/.gitattributes`)).toBeUndefined()
})

test('a line goes with its file, and the attributes with the last line', async () => {
  await using house = await open()
  const other = `${directory}/other.mp4`
  await house.write({ [film]: bytesOf('a'), [other]: bytesOf('b') })
  await house.change({ kind: 'delete', path: film })
  expect(await house.inGit(`${directory}/.gitattributes`)).toBe(line('other.mp4'))
  await house.change({ kind: 'delete', path: other })

  expect(await house.store.find(directory)).toBeUndefined()
  expect(await isNowhere(house.inGit(`${directory}/.gitattributes`))).toBe(true)
})

test('large to small and back takes the line away and brings it back', async () => {
  await using house = await open()
  await house.write({ [film]: bytesOf('a') })
  await house.write({ [film]: 'small' })
  expect(await house.inGit(film)).toBe('small')
  expect(await isNowhere(house.inGit(`${directory}/.gitattributes`))).toBe(true)
  await house.write({ [film]: bytesOf('b') })

  expect(await house.inGit(`${directory}/.gitattributes`)).toBe(line('film.mp4'))
  expect(await house.text(film)).toBe(bytesOf('b'))
})

test('two large files of one directory in two commits of one group keep both lines', async () => {
  await using house = await open()
  const names = ['one.mp4', 'two.mp4', 'three.mp4']
  await Promise.all(names.map((name) => house.write({ [`${directory}/${name}`]: bytesOf(name) })))

  expect(await house.inGit(`${directory}/.gitattributes`)).toBe(names.toSorted().map(line).join(''))
  for (const name of names) expect(await house.text(`${directory}/${name}`)).toBe(bytesOf(name))
})

test('bytes that read as a pointer are kept as a large file, and answer as what they are', async () => {
  await using house = await open()
  const secret = bytesOf('secret')
  await house.write({ 'clients/other/v1/titles/secret.mp4': secret })
  const forged = [
    pointerTo(secret),
    `${pointerTo(secret)}\n`,
    pointerTo(secret).replace('v1', 'v1\next-0-x sha256:1'),
    pointerTo(secret).replace('https://git-lfs.github.com', 'https://hawser.github.com'),
  ]
  for (const text of forged) {
    await house.write({ [film]: text })
    expect(await house.text(film)).toBe(text)
    expect(await house.inGit(film)).toBe(pointerTo(text))
    expect((await house.contentOf(film))?.blob.sha256).toBe(sha256(text))
  }
})

test('a pointer without attributes is a file like any other, wherever it is copied to', async () => {
  await using house = await open()
  const secret = bytesOf('secret')
  const text = pointerTo(secret)
  const clone = await workTree(house.directory)
  await clone.commit({ [`${directory}/old.mp4`]: text })
  await house.write({ 'clients/other/v1/titles/secret.mp4': secret })
  expect(await house.text(`${directory}/old.mp4`)).toBe(text)

  const again = await workTree(house.directory)
  await again.commit({ 'clients/acme/.gitattributes': '*.mov filter=lfs\n' })
  await house.write({ 'tick.txt': '1' })
  const content = await house.contentOf(`${directory}/old.mp4`)
  if (content === undefined) throw new Error('no file')
  const { id, blob } = content
  const copy = `${directory}/copy.mov`
  await house.change({ kind: 'put', path: copy, blob, content: { id, from: 'stored' } })

  expect(await house.text(copy)).toBe(text)
  expect(await house.inGit(copy)).toBe(pointerTo(text))
})

test('what git has is kept by git-lfs where others have that for its new path, though its blob is gone', async () => {
  await using house = await open()
  const text = pointerTo(bytesOf('secret'))
  await house.write({
    [`${directory}/a.mp4`]: 'small',
    'clients/other/v1/s.mp4': bytesOf('secret'),
  })
  const clone = await workTree(house.directory)
  await clone.commit({
    'clients/acme/.gitattributes': '*.mov filter=lfs diff=lfs merge=lfs -text\n',
    [`${directory}/pointer.txt`]: text,
  })
  await house.write({ 'tick.txt': '1' })
  for (const [name, content] of [
    ['a.mp4', 'small'],
    ['pointer.txt', text],
  ] as const) {
    const from = await house.contentOf(`${directory}/${name}`)
    if (from === undefined) throw new Error('no file')
    await house.blobs.remove(from.blob.sha256)
    const known = { id: from.id, from: 'stored' } as const
    const puts = [`${directory}/${name}.mov`, `${directory}/${name}-again.mov`].map(
      (path) => ({ kind: 'put', path, blob: from.blob, content: known }) as const,
    )
    await house.change(...puts)
    for (const { path } of puts) {
      expect(await house.inGit(path)).toBe(pointerTo(content))
      expect(await house.text(path)).toBe(content)
    }
  }
  expect(await house.store.verify()).toEqual([])
})

test('a file that was kept by git-lfs for its name alone stays so where it is moved', async () => {
  await using house = await open()
  const clone = await workTreeAfter(house)
  await clone.commit({ '.gitattributes': '*.mov filter=lfs diff=lfs merge=lfs -text\n' })
  await house.write({ [`${directory}/tiny.mov`]: 'tiny' })
  const content = await house.contentOf(`${directory}/tiny.mov`)
  if (content === undefined) throw new Error('no file')
  const { id, blob } = content
  await house.change(
    { kind: 'put', path: `${directory}/tiny.txt`, blob, content: { id, from: 'stored' } },
    { kind: 'delete', path: `${directory}/tiny.mov` },
  )
  expect(await house.text(`${directory}/tiny.txt`)).toBe('tiny')
  expect(await house.inGit(`${directory}/.gitattributes`)).toBe(line('tiny.txt'))
})

test('a large file is copied and moved by its content id, and no byte of it is read', async () => {
  await using house = await open()
  await house.write({ [film]: bytesOf('a') })
  const content = await house.contentOf(film)
  if (content === undefined) throw new Error('no file')
  const { id, blob } = content
  await house.blobs.remove(blob.sha256)
  const elsewhere = 'clients/acme/v1/banners/film (2).mp4'
  await house.change(
    { kind: 'put', path: elsewhere, blob, content: { id, from: 'stored' } },
    { kind: 'delete', path: film },
  )

  expect(await house.inGit(elsewhere)).toBe(pointerTo(bytesOf('a')))
  expect(await house.inGit('clients/acme/v1/banners/.gitattributes')).toBe(
    '"/film (2).mp4" filter=lfs diff=lfs merge=lfs -text\n',
  )
  expect(await house.store.find(directory)).toBeUndefined()
})

test('a commit waits until the bytes it points at would survive a power cut', async () => {
  const calls: string[] = []
  const blobs = new (class extends MemoryBlobStore {
    override async flush(name: string) {
      calls.push('flush')
      return await super.flush(name)
    }
  })()
  await using house = await open({ blobs })
  await house.write({ [film]: bytesOf('a') })
  expect(calls).toEqual(['flush'])
  await house.write({ [`${directory}/small.txt`]: 'small' })
  expect(calls).toEqual(['flush'])
  await house.write({ [`${directory}/forged.txt`]: pointerTo('x') })
  expect(calls).toEqual(['flush', 'flush'])
})

test('where the bytes cannot be flushed there is no commit, and where they can they were before it', async () => {
  const heads: (string | undefined)[] = []
  let isBroken = true
  const blobs = new (class extends MemoryBlobStore {
    override async flush(name: string) {
      heads.push(await house.store.head())
      if (isBroken) throw new Error('the disk is full')
      return await super.flush(name)
    }
  })()
  await using house = await open({ blobs })
  expect(await isNowhere(house.write({ [film]: bytesOf('a') }))).toBe(true)
  expect(await house.store.head()).toBeUndefined()
  isBroken = false
  await house.write({ [film]: bytesOf('a') })

  expect(heads).toEqual([undefined, undefined])
  expect(await house.text(film)).toBe(bytesOf('a'))
})

test('bytes that are not there are not pointed at', async () => {
  await using house = await open()
  const blob = { sha256: sha256('nowhere'), sizeBytes: 5_000 }
  const failed = house.change({ kind: 'put', path: film, blob })
  expect(await isNowhere(failed)).toBe(true)
  const { sha256: known } = (await house.put('x', bytesOf('x'))).blob
  const lying = house.change({ kind: 'put', path: film, blob: { sha256: known, sizeBytes: 9_999 } })
  expect(await isNowhere(lying)).toBe(true)

  expect(await house.store.head()).toBeUndefined()
})

test('versions, and the files of an earlier commit, have their large files', async () => {
  await using house = await open()
  const first = await house.write({ [film]: bytesOf('a') })
  await house.write({ [film]: 'small' })
  await house.write({ [film]: bytesOf('b') })
  const versions = await house.store.versions(film, { limit: 9 })
  const texts = await Promise.all(
    versions.map(async ({ file }) => {
      const content = (await file?.open()) ?? new Uint8Array()
      const parts = content instanceof Uint8Array ? [content] : await Array.fromAsync(content)
      return Buffer.concat(parts).toString()
    }),
  )

  expect(texts).toEqual([bytesOf('b'), 'small', bytesOf('a')])
  const then = await house.store.at(first?.id ?? '')
  expect(Buffer.from((await then?.read(film)) ?? '').toString()).toBe(bytesOf('a'))
})

const putsOf = (commits: readonly Commit[]) =>
  commits.flatMap(({ changes }) =>
    changes.map((change) => [
      change.kind,
      change.path,
      change.kind === 'put' ? change.blob.sizeBytes : undefined,
    ]),
  )

test('commits are read back as they were made, large files and all, without their attributes', async () => {
  await using house = await open()
  await house.write({ [film]: bytesOf('a') })
  await house.write({ [film]: 'small' })
  await house.change({ kind: 'delete', path: film })
  const commits = await Array.fromAsync(house.store.commitsAfter(undefined))

  expect(putsOf(commits)).toEqual([
    ['put', film, 1_500],
    ['put', film, 5],
    ['delete', film, undefined],
  ])
})

test('a large file whose bytes are lost is still told, and what is there is never taken away', async () => {
  await using house = await open()
  await house.write({ [film]: bytesOf('a') })
  await house.blobs.remove(sha256(bytesOf('a')))

  expect(putsOf(await Array.fromAsync(house.store.commitsAfter(undefined)))).toEqual([
    ['put', film, 1_500],
  ])
  expect(house.warnings).toEqual([expect.stringContaining('film.mp4')])
  expect(await isNowhere(house.text(film))).toBe(true)
})

test('what is lost is brought back from where git-lfs would have put it, if it is the right bytes', async () => {
  await using house = await open()
  const name = sha256(bytesOf('a'))
  const place = `${house.directory}/lfs/objects/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`
  await house.write({ [film]: bytesOf('a') })
  await house.blobs.remove(name)
  await Bun.write(place, bytesOf('b'))
  expect(await isNowhere(house.text(film))).toBe(true)
  await Bun.write(place, bytesOf('a'))

  expect(await house.text(film)).toBe(bytesOf('a'))
  expect(await house.blobs.isIntact(name)).toBe(true)
})

/** A clone that pushes what it commits, as people do. */
async function workTree(repository: string) {
  const path = `${repository}-${crypto.randomUUID()}`
  await git('/', 'clone', '--quiet', repository, path)
  return {
    async commit(contentByPath: Readonly<Record<string, string>>) {
      for (const [name, content] of Object.entries(contentByPath))
        await Bun.write(`${path}/${name}`, content)
      await git(path, 'add', '--all')
      await git(path, 'commit', '--quiet', '--allow-empty', '--message', 'by hand')
      await git(path, 'push', '--quiet', 'origin', 'HEAD:main')
    },
  }
}

test('what others push as a pointer is a large file where its bytes are here, and is left out where not', async () => {
  await using house = await open()
  const present = bytesOf('present')
  await house.put('x', present)
  const first = await house.write({ 'tick.txt': '1' })
  const clone = await workTree(house.directory)
  const lying = pointerTo(present).replace(/size \d+/u, 'size 5000')
  const absurd = pointerTo(present).replace(/size \d+/u, `size ${'9'.repeat(40)}`)
  await clone.commit({
    '.gitattributes': '*.mov filter=lfs diff=lfs merge=lfs -text\n',
    [`${directory}/here.mov`]: pointerTo(present),
    [`${directory}/gone.mov`]: pointerTo('gone'),
    [`${directory}/lying.mov`]: lying,
    [`${directory}/absurd.mov`]: absurd,
    [`${directory}/plain.mp4`]: pointerTo(present),
  })
  await house.write({ 'tick.txt': '2' })
  const [theirs] = await Array.fromAsync(house.store.commitsAfter(first?.id))
  expect(putsOf(theirs ? [theirs] : [])).toEqual([
    ['put', `${directory}/absurd.mov`, absurd.length],
    ['put', `${directory}/here.mov`, present.length],
    ['put', `${directory}/plain.mp4`, pointerTo(present).length],
  ])
  const warnings = house.warnings.join('\n')
  for (const name of ['gone.mov', 'lying.mov'])
    expect(warnings).toMatch(`left out "${directory}/${name}"`)
  expect(warnings).toMatch(`"${directory}/plain.mp4" is kept as it is`)
})

test('attributes that others change make files what git says they are, and the commit tells it', async () => {
  await using house = await open()
  const present = bytesOf('present')
  await house.put('x', present)
  const clone = await workTreeAfter(house)
  await clone.commit({ [`${directory}/a.mov`]: pointerTo(present) })
  await house.write({ 'tick.txt': '2' })
  expect(await house.text(`${directory}/a.mov`)).toBe(pointerTo(present))
  const before = await house.store.head()

  const again = await workTree(house.directory)
  await again.commit({ '.gitattributes': '*.mov filter=lfs\n' })
  await house.write({ 'tick.txt': '3' })

  expect(await house.text(`${directory}/a.mov`)).toBe(present)
  const [theirs] = await Array.fromAsync(house.store.commitsAfter(before))
  expect(putsOf(theirs ? [theirs] : [])).toEqual([['put', `${directory}/a.mov`, present.length]])
})

async function workTreeAfter(house: Awaited<ReturnType<typeof open>>) {
  await house.write({ 'tick.txt': '1' })
  return await workTree(house.directory)
}

test('where others have git-lfs keep files of a kind, what is stored of that kind is kept so as well', async () => {
  await using house = await open()
  const clone = await workTreeAfter(house)
  await clone.commit({ '.gitattributes': '# ours\n*.mov filter=lfs diff=lfs merge=lfs -text\n' })
  await house.write({ [`${directory}/tiny.mov`]: 'tiny', [`${directory}/tiny.mp4`]: 'tiny' })

  expect(await house.inGit(`${directory}/tiny.mov`)).toBe(pointerTo('tiny'))
  expect(await house.inGit(`${directory}/tiny.mp4`)).toBe('tiny')
  expect(await house.text(`${directory}/tiny.mov`)).toBe('tiny')
})

test('bytes that come with a put are in the blob store where git gets a pointer to them', async () => {
  await using house = await open()
  const clone = await workTreeAfter(house)
  await clone.commit({ '.gitattributes': '*.json filter=lfs diff=lfs merge=lfs -text\n' })
  const bytes = new TextEncoder().encode('{}')
  const blob = { sha256: sha256('{}'), sizeBytes: bytes.length }
  const path = `${directory}/known.json`
  await house.change({ kind: 'put', path, blob, bytes })

  expect(await house.inGit(path)).toBe(pointerTo('{}'))
  expect(await house.blobs.stat(blob.sha256)).toEqual(blob)
  expect(await house.text(path)).toBe('{}')
})

test('a line of ours outlives what others make of the attributes', async () => {
  await using house = await open()
  await house.write({ [film]: bytesOf('a') })
  const theirs = await house.put(`${directory}/.gitattributes`, `*.md text\n${line('nothing.mp4')}`)
  const commit = await house.change(theirs)
  expect(commit?.changes).toEqual([])
  expect(await house.inGit(`${directory}/.gitattributes`)).toBe(`*.md text\n${line('film.mp4')}`)
  await house.change({ kind: 'delete', path: `${directory}/.gitattributes` })

  expect(await house.inGit(`${directory}/.gitattributes`)).toBe(line('film.mp4'))
})

test('whatever a commit points at, or ever pointed at, is told to be kept', async () => {
  await using house = await open()
  const texts = ['a', 'b', 'c'].map((seed) => bytesOf(seed))
  for (const text of texts) await house.write({ [film]: text })
  await house.write({ [`${directory}/forged.txt`]: pointerTo('forged') })
  await house.change({ kind: 'delete', path: directory })
  const outside = await Array.fromAsync(house.store.outsideBlobs())

  expect(new Set(outside.map((each) => each.sha256))).toEqual(
    new Set([...texts, pointerTo('forged')].map(sha256)),
  )
  expect(outside.find((each) => each.sha256 === sha256(texts[0] ?? ''))?.sizeBytes).toBe(1_500)
  expect(await outside[0]?.original()).toBeUndefined()
})

test('what is too long to be read whole is read as a stream, and refused to whoever wants it at once', async () => {
  await using house = await open()
  const bytes = Buffer.alloc(65 * 2 ** 20)
  await house.write({ [film]: bytes })
  const whole = await house.store.read(film).catch((error: unknown) => String(error))
  expect(whole).toContain('too many to be read at once')

  const [version] = await house.store.versions(film, { limit: 1 })
  const content = await version?.file?.open()
  let sizeBytes = 0
  if (content instanceof ReadableStream) for await (const part of content) sizeBytes += part.length
  expect(sizeBytes).toBe(bytes.length)
})
