import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { UsageError } from '../support/command.ts'
import { openEdge } from './cache-edge.ts'
import { readEdgeSettings } from './edge-settings.ts'

for (const [what, words] of [
  ['no origin', []],
  ['an origin that is no web URL', ['--origin', 'ftp://a.test']],
  ['a port that is no number', ['--origin', 'http://a.test', '--port', 'x']],
  ['a port beyond the last', ['--origin', 'http://a.test', '--port', '65536']],
  ['a token that is none', ['--origin', 'http://a.test', '--token', 'x']],
  ['a name that is none', ['--origin', 'http://a.test', '--name', 'A b']],
  ['an unknown option', ['--origin', 'http://a.test', '--colour', 'green']],
] as const)
  test(`${what} is wrong use`, () => {
    expect(() => readEdgeSettings(words)).toThrow(UsageError)
  })

test('what is not said has its default', () => {
  expect(readEdgeSettings(['--origin', 'https://a.test'])).toMatchObject({
    host: '127.0.0.1',
    port: 8789,
    memoryBytes: 256 * 2 ** 20,
    cacheDirectory: undefined,
    storing: 'guarded',
  })
})

test('an edge answers the second request itself, with or without a directory', async () => {
  let asked = 0
  const origin = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      asked += 1
      return new Response('hello', { headers: { 'cache-control': 'max-age=60' } })
    },
  })
  const directory = await mkdtemp(join(tmpdir(), 'sedge-edge-'))
  try {
    for (const more of [[], ['--cache-dir', directory]]) {
      const words = ['--origin', origin.url.href, '--port', '0', ...more]
      await using edge = await openEdge(readEdgeSettings(words))
      await (await fetch(edge.url)).text()
      const second = await fetch(edge.url)

      expect(await second.text()).toBe('hello')
      expect(second.headers.get('cache-status')).toStartWith('sedge; hit')
    }
    expect(asked).toBe(2)
  } finally {
    await origin.stop(true)
    await rm(directory, { recursive: true })
  }
})

test('the directory of an edge is absolute', () => {
  const settings = readEdgeSettings(['--origin', 'https://a.test', '--cache-dir', 'edge 1'])
  expect(settings.cacheDirectory).toBe(resolve('edge 1'))
})
