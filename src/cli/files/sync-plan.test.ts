import { expect, test } from 'bun:test'

import { planSync } from './sync-plan.ts'

const local = (path: string, sizeBytes: number) => ({ path, sizeBytes, source: `/local/${path}` })
const remote = (path: string, sizeBytes: number, sha256: string) => ({
  path,
  sizeBytes,
  sha256,
  contentType: 'text/plain',
  changedAt: '2026-01-01T00:00:00.000Z',
})

test('what is new, changed, the same and in storage alone is told apart', async () => {
  const read: string[] = []
  const plan = await planSync({
    local: [local('a', 1), local('b', 2), local('c', 3), local('d', 4)],
    remote: [
      remote('b', 2, 'of b'),
      remote('c', 3, 'older'),
      remote('d', 9, 'x'),
      remote('e', 5, 'y'),
    ],
    async sha256Of(source) {
      read.push(source)
      return `of ${source.at(-1)}`
    },
  })
  const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path)

  expect(paths(plan.created)).toEqual(['a'])
  expect(paths(plan.unchanged)).toEqual(['b'])
  expect(paths(plan.changed)).toEqual(['c', 'd'])
  expect(paths(plan.extra)).toEqual(['e'])
  expect(read).toEqual(['/local/b', '/local/c'])
})
