import { expect, test } from 'bun:test'

import { type PushedCommits, takeStep } from './zone-history.ts'
import type { ZoneStep } from './zone-log.ts'

const id = (digit: string): string => digit.repeat(40)
const former = { id: id('a'), treeId: id('1') }

const step = (pushedId?: string): ZoneStep => ({
  commitId: id('c'),
  change: { treeId: id('2') },
  pushedId,
  author: 'Ada <ada@example.org> 1700000000 +0100',
  committer: 'Sedge <sedge@sedge.invalid> 1700000000 +0000',
  seconds: 1_700_000_000,
  subject: 'Change it',
  fileCount: 1,
  isShared: false,
})

/** A history in which each commit of the list is behind the next. */
const line = (
  trees: Readonly<Record<string, string>>,
  ...ids: readonly string[]
): PushedCommits => ({
  treeOf: async (commit) => trees[commit],
  isAncestor: async (one, other) => ids.includes(one) && ids.indexOf(one) <= ids.indexOf(other),
})
const nothing = line({})

interface Asked {
  readonly treeId?: string
  readonly pushedId?: string
  readonly isFirst?: boolean
}

const take = (pushes: PushedCommits, { treeId = id('2'), pushedId, isFirst = false }: Asked = {}) =>
  takeStep(
    { former: isFirst ? undefined : former, step: step(pushedId), treeId, zone: 'acme' },
    pushes,
  )

test('a commit is made for what changed, and none for what did not', async () => {
  const made = await take(nothing)
  expect(made?.tip.treeId).toBe(id('2'))
  expect(made?.object?.id).toBe(made?.tip.id)
  expect(await take(nothing, { treeId: former.treeId })).toBeUndefined()
  expect((await take(nothing, { isFirst: true }))?.object).toBeDefined()
})

test('what was pushed is taken as it is where it leads on and has the tree of now', async () => {
  const pushedId = id('b')
  const pushes = line({ [pushedId]: id('2') }, former.id, pushedId)
  expect(await take(pushes, { pushedId })).toEqual({ tip: { id: pushedId, treeId: id('2') } })
  const empty = line({ [pushedId]: former.treeId }, former.id, pushedId)
  expect(await take(empty, { pushedId, treeId: former.treeId })).toEqual({
    tip: { id: pushedId, treeId: former.treeId },
  })
})

test('else a commit merges it, and one that is there already is no matter', async () => {
  const pushedId = id('b')
  const otherTree = line({ [pushedId]: id('3') }, former.id, pushedId)
  const apart = line({ [pushedId]: id('2') }, pushedId)
  for (const pushes of [otherTree, apart]) {
    const taken = await take(pushes, { pushedId })
    expect(taken?.object).toBeDefined()
    expect(taken?.tip.id).not.toBe(pushedId)
    expect(taken?.tip.treeId).toBe(id('2'))
  }
  const behind = line({ [pushedId]: id('3') }, pushedId, former.id)
  expect(await take(behind, { pushedId, treeId: former.treeId })).toBeUndefined()
  expect((await take(nothing, { pushedId }))?.tip.id).toBe((await take(nothing))?.tip.id ?? '')
})
