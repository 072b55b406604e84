import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { Directory, type Entry, type EntryKind } from './directory.ts'
import { git, openTestStore } from '../fixtures/open-test-store.ts'
import { objectId } from '../objects/object-id.ts'

/** Names that sort differently as files and as directories, and some that are no ASCII. */
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'a-',
    'a.',
    'a0',

    'A',
    'é',
    'e\u0301',
    '😀',
    '\uffee',
    'z z',
  ),
  fc.string({ minLength: 1, maxLength: 4 }).filter((text) => !/[\0/\ufffd]/u.test(text)),
)
const entry: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom('file' as const, 'directory' as const),
  id: fc.constantFrom('1'.repeat(40), 'a0'.repeat(20)),
})
const edits = fc.array(fc.tuple(name, fc.option(entry, { nil: undefined })), { maxLength: 12 })
const empty = () => new Directory(Buffer.alloc(0))

const sortKey = ([text, { kind }]: [string, Entry]) =>
  Buffer.from(kind === 'directory' ? `${text}/` : text)

/** A tree object put together the slow way. */
function reference(entries: ReadonlyMap<string, Entry>): Buffer {
  const sorted = [...entries].sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
  return Buffer.concat(
    sorted.flatMap(([text, { kind, id }]) => [
      Buffer.from(`${kind === 'directory' ? '40000' : '100644'} ${text}\0`),
      Buffer.from(id, 'hex'),
    ]),
  )
}

test('edited again and again, a directory is what it would be if written anew', () => {
  fc.assert(
    fc.property(fc.array(edits, { maxLength: 5 }), (rounds) => {
      const model = new Map<string, Entry>()
      let directory = empty()
      for (const round of rounds) {
        for (const [text, value] of round) {
          if (value) model.set(text, value)
          else model.delete(text)
        }
        directory = directory.with(new Map(round))
        expect(directory.bytes.equals(reference(model))).toBe(true)
        expect(directory.count).toBe(model.size)
        for (const [text] of round) expect(directory.find(text)).toEqual(model.get(text))
        expect(new Directory(directory.bytes).count).toBe(model.size)
      }
      expect(new Map([...directory.entries()].map((one) => [one.name, one.id]))).toEqual(
        new Map([...model].map(([text, { id }]) => [text, id])),
      )
    }),
  )
})

test('what a directory is made of is what git makes of it', async () => {
  const opened = await openTestStore()
  await using _ = opened.store
  const contentByPath = Object.fromEntries(
    ['a', 'a-b', 'a.b/x', 'a0/x', 'a b', 'é', 'Z/x'].map((path) => [path, path]),
  )
  await opened.write(contentByPath)
  const listing = await git(opened.directory, 'ls-tree', '-z', 'main')
  const child = Bun.spawn(['git', 'mktree', '-z'], {
    cwd: opened.directory,
    stdin: Buffer.from(listing),
    stdout: 'pipe',
  })
  const made = (await new Response(child.stdout).text()).trim()

  expect((await git(opened.directory, 'rev-parse', 'main^{tree}')).trim()).toBe(made)
})

test('an entry is what its mode says, the spelling of older programs too', () => {
  const kindByMode: Readonly<Record<string, EntryKind>> = {
    100644: 'file',
    100755: 'file',
    100664: 'file',
    40000: 'directory',
    '040000': 'directory',
    120000: 'other',
    160000: 'other',
  }
  for (const [mode, kind] of Object.entries(kindByMode)) {
    const bytes = Buffer.concat([Buffer.from(`${mode} a\0`), Buffer.alloc(20, 1)])
    const expected: Entry = { kind, id: '01'.repeat(20) }
    expect(new Directory(bytes).find('a')).toEqual(expected)
    expect(new Directory(bytes).findOften('a')).toEqual(expected)
    expect(new Directory(bytes).findOften('b')).toBeUndefined()
  }
})

test('spelling follows names through versions of a directory', () => {
  const file = { kind: 'file', id: '1'.repeat(40) } as const
  const first = empty().with(new Map([['Logo.svg', file]]))
  expect(first.spellingOf('LOGO.SVG')).toBe('Logo.svg')
  const second = first.with(new Map([['Caf\u00e9', file]]))
  expect(second.spellingOf('CAFE\u0301')).toBe('Caf\u00e9')
  const third = second.with(new Map([['Logo.svg', undefined]]))

  expect(third.spellingOf('logo.svg')).toBeUndefined()
  expect(first.spellingOf('caf\u00e9')).toBeUndefined()
})

test('a directory of 50,000 files takes a new one without being read again', () => {
  const file = { kind: 'file', id: '1'.repeat(40) } as const
  const names = Array.from({ length: 50_000 }, (_, index) => `file-${index}.png`)
  const wide = empty().with(new Map(names.map((text) => [text, file])))
  expect(wide.spellingOf('FILE-777.png')).toBe('file-777.png')
  const wider = wide.with(new Map([['file-x.png', file]]))

  expect(wider.count).toBe(50_001)
  expect(wider.spellingOf('FILE-X.PNG')).toBe('file-x.png')
  expect(objectId('tree', wider.bytes)).not.toBe(objectId('tree', wide.bytes))
  expect(wide.weightBytes / wide.count).toBeLessThan(90)
})
