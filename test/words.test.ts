import { expect, test } from 'bun:test'
import { basename, join } from 'node:path'

import { parseSync } from 'oxc-parser'

import { allowedNames, retiredWords, words } from './words.ts'

const root = join(import.meta.dir, '..')
const folders = ['src', 'web', 'test', 'bench', 'scripts']

/** `createImageTexts` → `create`, `image`, `texts`. */
const partsOf = (name: string): readonly string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/gu) ?? []).map((part) => part.toLowerCase())

/** The retired words of a name in that file, with what to say instead. */
function retiredIn(name: string, file: string): readonly string[] {
  const parts = partsOf(name)
  return retiredWords
    .filter(({ except }) => except?.within.every((place) => !file.startsWith(place)) ?? true)
    .flatMap(({ forms, instead }) =>
      forms.filter((form) => parts.includes(form)).map((form) => `${form}: say ${instead}`),
    )
}

function exportsOf(file: string, text: string): readonly string[] {
  const { module } = parseSync(file, text)
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  )
}

/** `file` where the file's own path has a retired word, `file name` where an export has. */
async function namesWithRetiredWords(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const note = (key: string, retired: readonly string[]) =>
    retired.length > 0 && found.set(key, retired)
  for (const folder of folders)
    for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(join(root, folder))) {
      const file = `${folder}/${path}`
      note(file, retiredIn(basename(file).replace(/\..*$/u, ''), file))
      for (const name of exportsOf(file, await Bun.file(join(root, file)).text()))
        note(`${file} ${name}`, retiredIn(name, file))
    }
  return found
}

test('no file and no export has a retired word in its name, but for those with a reason', async () => {
  const found = await namesWithRetiredWords()

  const unknown = [...found].filter(([key]) => !Object.hasOwn(allowedNames, key))
  expect(Object.fromEntries(unknown)).toEqual({})
  expect(Object.keys(allowedNames).filter((key) => !found.has(key))).toEqual([])
})

test('a retired word is found in any spelling, and where it is right it stays', () => {
  expect(retiredIn('createFilmLibrary', 'src/x.ts')).toEqual(['film: say video'])
  expect(retiredIn('film-house', 'src/x.ts')).toEqual(['film: say video'])
  expect(retiredIn('AddressList', 'src/planes/x.ts')).toEqual(['address: say URL, path'])
  expect(retiredIn('AddressList', 'src/lib/net/address-list.ts')).toEqual([])
  expect(retiredIn('withFilament', 'src/x.ts')).toEqual([])
})

test('each word is said once, and none of the retired ones has come back', () => {
  const said = words.map(({ word }) => word)
  expect(new Set(said).size).toBe(said.length)

  const forms = retiredWords.flatMap(({ forms: each }) => each)
  expect(new Set(forms).size).toBe(forms.length)
  const exceptions = new Set(
    retiredWords.flatMap(({ forms: each, except }) => (except ? each : [])),
  )
  for (const word of said) if (forms.includes(word)) expect([...exceptions]).toContain(word)
})
