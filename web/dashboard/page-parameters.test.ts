import { expect, test } from 'bun:test'

import { pageNames } from './page-names.ts'
import { parameterNames, parametersByPage, type SearchOf } from './page-parameters.ts'

/** Those of a transform are read one like the other. */
const isOfTransform = (name: string): boolean => parameterNames.some((each) => each === name)
const readsAll = /\bparameterNames\.[^;]*\bsearch\[name\]/u

/** Whether the sources of the dashboard read a parameter of the address by that name. */
async function isRead(name: string): Promise<boolean> {
  const reading = new RegExp(
    String.raw`search\['${name}'\]|\{[^{}]*\b${name}\b[^{}]*\}(?:[^;\n]*= useSearch|: Search\b| = search\b)`,
    'u',
  )
  for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(import.meta.dir)) {
    const source = await Bun.file(`${import.meta.dir}/${path}`).text()
    if (reading.test(source) || source.includes(`  '${name}',\n`)) return true
    if (isOfTransform(name) && readsAll.test(source)) return true
  }
  return false
}

test('a link cannot say what its page does not read', () => {
  const good: SearchOf<'assets'> = { asset: 'acme/v1/icons/a.svg', zone: 'acme' }
  // @ts-expect-error: the page of assets reads no path
  const bad: SearchOf<'assets'> = { path: 'acme/v1/icons/a.svg' }
  expect([good, bad]).toHaveLength(2)
})

test('every parameter that a page is said to read is read somewhere', async () => {
  const names = new Set<string>(pageNames.flatMap((page) => parametersByPage[page]))
  const ignored: string[] = []
  for (const name of names) if (!(await isRead(name))) ignored.push(name)
  expect(ignored).toEqual([])
})
