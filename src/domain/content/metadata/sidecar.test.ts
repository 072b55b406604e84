import { describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'

import { everyMember } from '../../../ports/content/publication-store.contract.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import { metadataLimits } from './members.ts'
import { maxSidecarBytes, parseSidecar, serialiseSidecar, SidecarError } from './sidecar.ts'

const { sources: _none, ...all } = everyMember
const bytesOf = (text: string) => new TextEncoder().encode(text)
const fileOf = (metadata: AssetMetadata) => {
  const bytes = serialiseSidecar({ metadata, others: {} })
  if (bytes === undefined) throw new Error('there is nothing to say')
  return bytes
}
const parse = (value: unknown) => parseSidecar(bytesOf(JSON.stringify(value)))
const faultOf = (value: unknown) => {
  try {
    parse(value)
  } catch (error) {
    if (error instanceof SidecarError) return error.message
    throw error
  }
  return undefined
}

test('what is written is read alike, and the same is written the same', () => {
  const others = { 'x-tool': { b: 1, a: [null] } }
  const bytes = serialiseSidecar({ metadata: all, others })
  const read = parseSidecar(bytes ?? new Uint8Array())

  expect(read).toEqual({ metadata: all, others })
  expect(serialiseSidecar(read)).toEqual(bytes)
})

test('where there is nothing to say there is no file', () => {
  expect(serialiseSidecar({ metadata: {}, others: {} })).toBeUndefined()
  expect(parse({ title: null, tags: [null], alt: { '': null }, custom: {} })).toEqual({
    metadata: {},
    others: {},
  })
})

test('what people write by hand is put in order', () => {
  const { metadata } = parse({
    title: ' Cafe\u0301 ',
    description: 'one\r\ntwo',
    alt: { 'EN-us': 'Picture', de: '' },
    tags: ['Spring Sale', 'leaf', 'LEAF', null],
    expires: '2027-01-31T01:00:00+01:00',
  })

  expect(metadata).toEqual({
    title: 'Caf\u00e9',
    description: 'one\ntwo',
    alt: { 'en-US': 'Picture', de: '' },
    tags: ['leaf', 'spring-sale'],
    expiresAt: new Date('2027-01-31T00:00:00Z'),
  })
})

describe('a file is none of ours', () => {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) })
  const many = <T>(count: number, value: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => value(index))
  const rejected: Readonly<Record<string, unknown>> = {
    'that is a list': [],
    'that is null': null,
    'of a later version': { version: 2 },
    'whose title is a number': { title: 1 },
    'whose title is empty': { title: ' ' },
    'whose title is too long': { title: 'a'.repeat(metadataLimits.titleLength + 1) },
    'whose title has a NUL': { title: 'a\u0000' },
    'whose title turns what follows round': { title: 'a\u202eb' },
    'whose description is too long': { description: 'a'.repeat(5001) },
    'whose alternative text is in no language': { alt: { '../x': 'a' } },
    'with too many languages': {
      alt: Object.fromEntries(
        many(51, (index): [string, string] => [
          `x${String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26))}`,
          'a',
        ]),
      ),
    },
    'whose alternative text is too long': { alt: { de: 'a'.repeat(1001) } },
    'with too many tags': { tags: many(101, (index) => `t${index}`) },
    'with tags without end': { tags: many(1001, () => 'same') },
    'with a tag that is a number': { tags: [1] },
    'with a tag that is too long': { tags: ['a'.repeat(65)] },
    'that ends on a day that never was': { expires: '2027-13-01T00:00:00Z' },
    'that ends nobody knows where on earth': { expires: '2027-01-01T00:00:00' },
    'that ends on a day alone': { expires: '2027-01-01' },
    'whose subject is outside': { focalPoint: { x: 2, y: 0 } },
    'whose subject is nowhere': { focalPoint: { x: 0 } },
    'with too many own fields': {
      custom: Object.fromEntries(many(65, (index): [string, number] => [`a${index}`, 1])),
    },
    'with too much in own fields': { custom: { a: many(4000, () => 'ab') } },
    'with own fields nested too deeply': { custom: deep(9) },
    'nested far too deeply': { other: deep(2000) },
    'with much that is not ours': { other: 'a'.repeat(5000) },
  }
  for (const [name, value] of Object.entries(rejected))
    test(name, () => {
      expect(faultOf(value)).toBeString()
    })

  test('that is no JSON, no UTF-8, or too large', () => {
    const files = ['', '{', '<<<<<<< ours', '['.repeat(30_000), ' '.repeat(maxSidecarBytes + 1)]
    for (const text of files) expect(() => parseSidecar(bytesOf(text))).toThrow(SidecarError)
    expect(() => parseSidecar(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(SidecarError)
  })
})

test('whatever comes is read or refused, and what was read comes back', () => {
  fc.assert(
    fc.property(
      fc.record(
        {
          title: fc.anything(),
          alt: fc.dictionary(fc.string(), fc.anything()),
          tags: fc.array(fc.string()),
          custom: fc.dictionary(fc.string(), fc.jsonValue()),
          expires: fc.string(),
          ['__proto__']: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      (value) => {
        const bytes = bytesOf(JSON.stringify(value) ?? '')
        let read
        try {
          read = parseSidecar(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(SidecarError)
          return
        }
        const again = serialiseSidecar(read)
        if (again !== undefined) expect(parseSidecar(again)).toEqual(read)
      },
    ),
  )
})

test('a name like that of an object is a name like others', () => {
  const read = parseSidecar(bytesOf('{"custom":{"__proto__":{"a":1},"constructor":"x"}}'))

  expect(Object.keys(read.metadata.custom ?? {})).toEqual(['__proto__', 'constructor'])
  expect(new TextDecoder().decode(fileOf(read.metadata))).toContain('"__proto__": {"a":1},')
})

test('any two of the languages of most pages may be added at once', () => {
  const languages = 'en de fr es it pt nl pl ru uk ja ko zh ar tr sv da nb fi cs'.split(' ')
  const lines = languages.map((language) => {
    const text = new TextDecoder().decode(fileOf({ alt: { [language]: 'a' } }))
    return text.split('\n').findIndex((each) => each.includes(`"${language}": "a"`))
  })

  expect(new Set(lines).size).toBe(languages.length)
})

const { alt: _alt, tags: _tags, custom: _custom, ...plain } = all
const merges: Readonly<Record<string, readonly [AssetMetadata, AssetMetadata, AssetMetadata]>> = {
  'of two members next to each other': [all, { ...all, title: 'A' }, { ...all, description: 'B' }],
  'of the last two': [
    all,
    { ...all, focalPoint: { x: 0, y: 0 } },
    { ...all, expiresAt: new Date(0) },
  ],
  'where both are said for the first time': [
    { licence: 'MIT' },
    { licence: 'MIT', title: 'A' },
    { licence: 'MIT', description: 'B' },
  ],
  'where one takes away': [all, plain, { ...all, title: 'A' }],
  'of two languages': [
    { title: 'A', alt: { de: 'eins', en: 'one', fr: 'un' } },
    { title: 'A', alt: { de: 'zwei', en: 'one', fr: 'un' } },
    { title: 'A', alt: { de: 'eins', en: 'two', fr: 'un' } },
  ],
  'of the first two languages': [
    { title: 'A' },
    { title: 'A', alt: { de: 'eins' } },
    { title: 'A', alt: { en: 'one' } },
  ],
  'where one adds two languages and one a third': [
    { title: 'A', alt: { fr: 'un' } },
    { title: 'A', alt: { fr: 'un', de: 'eins', es: 'uno' } },
    { title: 'A', alt: { fr: 'un', en: 'one' } },
  ],
  'of the first two tags': [
    { title: 'A' },
    { title: 'A', tags: ['leaf'] },
    { title: 'A', tags: ['spring'] },
  ],
  'where one adds a tag and one takes another away': [
    { tags: ['blue', 'leaf'] },
    { tags: ['blue', 'leaf', 'spring'] },
    { tags: ['blue'] },
  ],
  'of two own fields': [
    { custom: { sku: 1, season: 'x' } },
    { custom: { sku: 2, season: 'x' } },
    { custom: { sku: 1, season: 'y' } },
  ],
  'of the first two own fields': [
    { title: 'A' },
    { title: 'A', custom: { sku: 2 } },
    { title: 'A', custom: { season: 'y' } },
  ],
}

for (const [name, [before, ours, theirs]] of Object.entries(merges))
  test(`git merges two changes ${name}`, async () => {
    const merged = parseSidecar(await gitMerge(fileOf(before), fileOf(ours), fileOf(theirs)))

    expect(merged.metadata).toEqual(mergedByHand(before, ours, theirs))
  })

/** A real merge of two branches, in a repository of its own; throws where git finds a conflict. */
async function gitMerge(before: Uint8Array, ours: Uint8Array, theirs: Uint8Array) {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sidecar-'))
  const git = async (...words: readonly string[]) => {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.test']
    const run = Bun.spawn(['git', ...identity, ...words], {
      cwd: directory,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    if ((await run.exited) !== 0)
      throw new Error(`${words.join(' ')}: ${await new Response(run.stderr).text()}`)
  }
  const commit = async (bytes: Uint8Array) => {
    await Bun.write(join(directory, 'a.json'), bytes)
    await git('add', '.')
    await git('commit', '-qm', 'x', '--allow-empty')
  }
  try {
    await git('init', '-qb', 'main')
    await commit(before)
    await git('checkout', '-qb', 'theirs')
    await commit(theirs)
    await git('checkout', '-q', 'main')
    await commit(ours)
    await git('merge', '-q', 'theirs')
    return await Bun.file(join(directory, 'a.json')).bytes()
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** What each of both changed, for members and what is in them. */
function mergedByHand(
  before: AssetMetadata,
  ours: AssetMetadata,
  theirs: AssetMetadata,
): AssetMetadata {
  const flat = (value: AssetMetadata) => new Map(entriesOf(value))
  const [base, mine, merged] = [flat(before), flat(ours), flat(theirs)]
  for (const key of new Set([...base.keys(), ...mine.keys()])) {
    if (Bun.deepEquals(base.get(key), mine.get(key))) continue
    if (mine.has(key)) merged.set(key, mine.get(key))
    else merged.delete(key)
  }
  return inflated(merged)
}

function* entriesOf(metadata: AssetMetadata): Iterable<[string, unknown]> {
  for (const [name, value] of Object.entries(metadata))
    if (name === 'tags') for (const tag of value as readonly string[]) yield [`tags ${tag}`, tag]
    else if (name === 'alt' || name === 'custom')
      for (const [key, each] of Object.entries(value as object)) yield [`${name} ${key}`, each]
    else yield [name, value]
}

function inflated(members: ReadonlyMap<string, unknown>): AssetMetadata {
  const result: Record<string, unknown> = {}
  for (const [key, value] of [...members].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [name = '', inner] = key.split(' ')
    if (inner === undefined) result[name] = value
    else if (name === 'tags') result[name] = [...((result[name] as unknown[]) ?? []), value]
    else result[name] = { ...(result[name] as object), [inner]: value }
  }
  return result
}
