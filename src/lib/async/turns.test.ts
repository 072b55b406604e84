import { expect, test } from 'bun:test'

import { takeTurns } from './turns.ts'

/** How often others had their turn while `work` ran. */
async function turnsDuring(work: (seen: () => number) => Promise<void>): Promise<number> {
  let seen = 0
  const other = setInterval(() => (seen += 1), 0)
  await work(() => seen)
  clearInterval(other)
  return seen
}

test('others have their turn once enough has been done, and not before', async () => {
  const turns = takeTurns(10, () => 0)
  const early = await turnsDuring(async () => {
    const start = performance.now()
    while (performance.now() - start < 5) await turns.after(0)
  })
  const late = await turnsDuring(async (seen) => {
    while (seen() < 3) await turns.after(4)
  })

  expect([early, late]).toEqual([0, 3])
})

test('others have their turn once it has taken long, however little was done', async () => {
  let now = 0
  const turns = takeTurns(1_000_000, () => now)
  const early = await turnsDuring(async () => {
    const start = performance.now()
    while (performance.now() - start < 5) await turns.after(1)
  })
  const late = await turnsDuring(async (seen) => {
    while (seen() < 3) {
      now += 10
      await turns.after(1)
    }
  })

  expect([early, late]).toEqual([0, 3])
})
