import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'

import { git } from '../fixtures/open-test-store.ts'
import { attributesText, ownLine, ownNameOf } from './attribute-lines.ts'
import { AttributeRules } from './attribute-rules.ts'

async function openWorkTree() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-attributes-'))
  await git(directory, 'init', '--quiet')
  await mkdir(join(directory, 'd'))
  return {
    /** What git itself says of each path below `d`, whose attributes the text is. */
    async isLarge(text: string, paths: readonly string[]): Promise<boolean[]> {
      await Bun.write(join(directory, 'd', '.gitattributes'), text)
      const asked = paths.map((path) => `d/${path}`)
      const output = await git(directory, 'check-attr', '-z', 'filter', '--', ...asked)
      const fields = output.split('\0')
      return paths.map((_, index) => fields[index * 3 + 2] === 'lfs')
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

const ours = (text: string, paths: readonly string[]) => {
  const rules = new AttributeRules(Buffer.from(text))
  return paths.map((path) => rules.decide(path.split('/')) ?? false)
}

const oddNames = [
  'plain.mp4',
  'two words.mp4',
  ' leading and trailing ',
  'quo"te.mp4',
  'both "q" [1].mp4',
  'br[1-2].mp4',
  'st*r?.mp4',
  'back\\slash \\"x.mp4',
  '#comment.mp4',
  '!not.mp4',
  '[attr]lfs',
  '"quoted"',
  'Größe é 😀.mp4',
  'tab\there.mp4',
  'filter=lfs diff=lfs merge=lfs -text',
  '-text',
]

test('a line of ours is about one file of the directory, for git as for us, however it is called', async () => {
  await using tree = await openWorkTree()
  for (const name of oddNames) {
    const text = `${ownLine(name)}\n`
    const paths = [name, ...oddNames.filter((other) => other !== name), `sub/${name}`]
    const expected = paths.map((path) => path === name)

    expect([name, ours(text, paths)]).toEqual([name, expected])
    expect([name, await tree.isLarge(text, paths)]).toEqual([name, expected])
    expect(ownNameOf(ownLine(name))).toBe(name)
  }
})

test('any names can be written and read back, and lines of others stay where they were', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => !/[\0\n/]/u.test(text) && text.isWellFormed())
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
      const theirs = '# by hand\n*.psd filter=lfs -text\n\n*.md text\n'
      const text = attributesText(theirs, names)
      const rules = new AttributeRules(Buffer.from(text))

      expect(new Set(rules.ownNames)).toEqual(new Set(names))
      expect(text.startsWith(theirs)).toBe(true)
      expect(attributesText(text, names.toReversed())).toBe(text)
      expect(attributesText(text, [])).toBe(theirs)
    }),
  )
})

const patterns = [
  '*.mp4',
  '*.[mM][pP]4',
  'film.*',
  '/film.mp4',
  'sub/film.mp4',
  '/sub/*.mp4',
  'sub/**',
  '**/film.mp4',
  '**/deep/**/film.mp4',
  'a*b*c*d',
  '[!f]ilm.mp4',
  '[[:alpha:]]*.mp4',
  'film[[:space:]]*.mp4',
  '"film two.mp4"',
  '"\\146ilm.mp4"',
  '\\*.mp4',
  'sub/',
  '!film.mp4',
  '#film.mp4',
  'f[ilm.mp4',
  '**',
  '*',
  '?ilm.mp4',
  '/**',
  'f?lm.mp4',
  '[]-a]ilm.mp4',
  'su?/film.mp4',
  'sub*film.mp4',
]
const attributes = ['filter=lfs -text', '-filter', '!filter', 'filter=other', 'text', 'filter']
const paths = [
  'film.mp4',
  'FILM.MP4',
  'film two.mp4',
  'fülm.mp4',
  'sub/film.mp4',
  'sub/deep/film.mp4',
  'sub/deep/er/film.mp4',
  'deep/film.mp4',
  '*.mp4',
  'axbxcxd',
  ']ilm.mp4',
  'x.txt',
]

test('attributes of others are understood as git understands them', async () => {
  await using tree = await openWorkTree()
  const line = fc
    .tuple(fc.constantFrom(...patterns), fc.constantFrom(...attributes))
    .map((parts) => parts.join(' '))
  for (const pattern of patterns) {
    const text = `${pattern} filter=lfs diff=lfs merge=lfs -text\n`
    expect([text, ours(text, paths)]).toEqual([text, await tree.isLarge(text, paths)])
  }
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async (lines) => {
      const text = lines.join('\n')
      expect(ours(text, paths)).toEqual(await tree.isLarge(text, paths))
    }),
    { numRuns: 60 },
  )
})

test('no pattern takes long, whatever it is', () => {
  const text = Array.from({ length: 300 }, () => `${'*a'.repeat(100)}b filter=lfs`)
    .concat(`${'**/'.repeat(300)}x filter=lfs`)
    .join('\n')
  const rules = new AttributeRules(Buffer.from(text))
  const path = [...Array.from({ length: 100 }, () => 'a'), 'a'.repeat(250)]
  const startedAt = performance.now()

  expect(rules.decide(path)).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})
