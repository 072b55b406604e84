import { expect, test } from 'bun:test'

import { takeTurns } from './turns.ts'

test('others have their turn once enough has been done, and not before', async () => {
  const turns = takeTurns(10)
  const seen: number[] = []
  const other = setInterval(() => seen.push(performance.now()), 0)
  const start = performance.now()
  while (performance.now() - start < 5) await turns.after(0)
  const early = seen.length
  while (seen.length < 3) await turns.after(4)
  clearInterval(other)

  expect(early).toBe(0)
  expect(seen).toHaveLength(3)
})
