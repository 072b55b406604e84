import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { ServiceError } from '../../errors.ts'
import { grantedPath } from './granted-path.ts'

const file = 'acme/v1/logos/a.png'
const directory = 'acme/v1/up/'
const named = (path?: string, fileName?: string) => ({ path, fileName })

test('a grant for a file is for that file, whatever the uploader calls it', () => {
  for (const name of [
    named(),
    named(''),
    named(undefined, 'IMG_1.HEIC'),
    named(file),
    named(`/clients/${file}`),
  ])
    expect(grantedPath(file, name)).toBe(file as never)
  for (const path of ['acme/v1/logos/b.png', 'a.png', `${file}/x`])
    expect(() => grantedPath(file, named(path))).toThrow('the grant is for another path')
})

test('below the directory of a grant the uploader names the file', () => {
  for (const [name, path] of [
    [named('b.png'), 'acme/v1/up/b.png'],
    [named('deep/er/b.png'), 'acme/v1/up/deep/er/b.png'],
    [named('acme/v1/up/b.png'), 'acme/v1/up/b.png'],
    [named('clients/acme/v1/up/b.png'), 'acme/v1/up/b.png'],
    [named(undefined, 'c.png'), 'acme/v1/up/c.png'],
    [named('b.png', 'c.png'), 'acme/v1/up/b.png'],
    // Below the directory it is just a name.
    [named('other/v1/b.png'), 'acme/v1/up/other/v1/b.png'],
  ] as const)
    expect(grantedPath(directory, name)).toBe(path as never)
  expect(() => grantedPath(directory, named())).toThrow('path must name the file')
})

test.each([
  '../b.png',
  'a/../../b.png',
  '..',
  '.',
  '/etc/passwd',
  '//b.png',
  'a//b.png',
  'b.png/',
  String.raw`..\b.png`,
  'a\0b',
  '.git/config',
  '.gitattributes',
  'acme/v1/up/../logos/a.png',
  'clients/acme/v1/up/../../../other/v1/a.png',
  '．．/b.png/..',
  '.keep',
  'a. ',
  'x'.repeat(2000),
])('%s is no name', (name) => {
  expect(() => grantedPath(directory, named(name))).toThrow(ServiceError)
  expect(() => grantedPath(directory, named(undefined, name))).toThrow(ServiceError)
})

test('no name leads out of the directory', () => {
  const part = fc.constantFrom('..', '.', '/', 'a', 'acme', 'v1', 'up', 'clients', '\\', '%2e', '')
  const name = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(name, name, (path, fileName) => {
      try {
        expect(grantedPath(directory, { path, fileName })).toStartWith(directory)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(ServiceError)
      }
    }),
  )
})
