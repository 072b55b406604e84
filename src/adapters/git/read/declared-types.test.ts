import { expect, test } from 'bun:test'

import { openTestStore } from '../fixtures/open-test-store.ts'
import { DeclaredTypes } from './declared-types.ts'

test('of paths beyond a number only hashes are kept, and their types are found all the same', async () => {
  const opened = await openTestStore()
  await using _ = opened.store
  const id = await declare(opened, ['a', 'b', 'c'])
  const commit = { id, treeId: '', head: id, committedAt: new Date() }

  expect(await new DeclaredTypes(opened.directory, 3).paths(id)).toEqual(new Set(['a', 'b', 'c']))
  const types = new DeclaredTypes(opened.directory, 2)
  expect(await types.paths(id)).toBeUndefined()
  expect(await types.of(commit, ['b', 'd'], id)).toEqual(new Map([['b', 'text/x-odd']]))
})

async function declare(
  { store, put }: Awaited<ReturnType<typeof openTestStore>>,
  paths: readonly string[],
): Promise<string> {
  const commit = await store.commit({ subject: 'declare', author: 'somebody' }, () =>
    Promise.all(
      paths.map(async (path) => ({ ...(await put(path, 'bytes')), contentType: 'text/x-odd' })),
    ),
  )
  return commit?.id ?? expect.unreachable()
}
