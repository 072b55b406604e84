import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

import { errorSchemas } from '../src/http/openapi/error-schemas.ts'

const root = join(import.meta.dir, '..')

/** The members that refusals are given by name, of the spelling that clients are sent. */
function membersOf(source: string): readonly string[] {
  const contexts = source.matchAll(/\bcontext: \{ ([^{}]*)\}/gu)
  return [...contexts].flatMap(([, members = '']) =>
    [...members.matchAll(/(?:^|, )([A-Z]\w*)/gu)].map(([, name = '']) => name),
  )
}

test('what refusals say besides is in their schema', () => {
  const sources = [...new Glob('src/**/*.ts').scanSync(root)].filter(
    (file) => !file.includes('.test.'),
  )
  const said = new Set(sources.flatMap((file) => membersOf(readFileSync(join(root, file), 'utf8'))))
  expect(said.size).toBeGreaterThan(5)
  for (const { shape } of Object.values(errorSchemas))
    expect([...said].filter((name) => name !== 'Allow' && !Object.hasOwn(shape, name))).toEqual([])
})
