import { expect, test } from 'bun:test'

import { linesOf } from './pointers-in.ts'

const encoder = new TextEncoder()

async function* piecesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield encoder.encode(text)
}

test('lines are whole wherever the pieces end, and what follows the last one is none', async () => {
  const bytes = encoder.encode('ä\n')
  async function* halves() {
    yield* piecesOf('one\ntw', 'o\n')
    yield bytes.subarray(0, 1)
    yield bytes.subarray(1)
    yield* piecesOf('rest')
  }
  expect(await Array.fromAsync(linesOf(halves()))).toEqual(['one', 'two', 'ä'])
})

test('others have their turn where thousands of lines come at once', async () => {
  let hadTurn = false
  setImmediate(() => (hadTurn = true))
  const lines = await Array.fromAsync(linesOf(piecesOf('a line\n'.repeat(20_000))))

  expect(lines).toHaveLength(20_000)
  expect(hadTurn).toBe(true)
})
