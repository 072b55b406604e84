import { expect, test } from 'bun:test'

import type { FeedEntry } from '../../ports/records/feed.ts'
import { forgetErased } from './forget-erased.ts'

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]

function openWorld(known: readonly string[], firstFailures = 0) {
  const names = [...known]
  const calls: (readonly string[])[] = []
  let failures = firstFailures
  let listener: (entries: readonly FeedEntry[]) => void = () => {}
  const forgetting = forgetErased({
    published: { erased: () => names },
    feed: {
      subscribe(each) {
        listener = each
        return { [Symbol.dispose]: () => {} }
      },
    },
    async forget(sha256s) {
      calls.push(sha256s)
      if (failures > 0) {
        failures -= 1
        throw new Error('full')
      }
    },
    onFault: () => {},
    pause: async () => {},
  })
  return {
    calls,
    forgetting,
    erase: (name: string) => {
      names.push(name)
      const entry = { seq: 1, at: new Date(0), event: 'content.erased' as const, data: {} }
      listener([{ ...entry, zone: undefined, path: undefined, commitId: undefined }])
    },
  }
}

test('what was erased before the start is forgotten first, and each once', async () => {
  const { calls, forgetting, erase } = openWorld([a, 'acme/v1/a.jpg'])
  await forgetting.settled()
  expect(calls).toEqual([[a]])
  erase(b)
  await forgetting.settled()

  expect(calls).toEqual([[a], [b]])
})

test('it is not settled before what failed was done', async () => {
  const { calls, forgetting } = openWorld([a], 2)
  await forgetting.settled()

  expect(calls).toEqual([[a], [a], [a]])
})
