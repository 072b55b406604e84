import { expect, test } from 'bun:test'

import { type Embedder, EmbedderUnavailableError } from '../../../ports/media/embedder.ts'
import { createQuestionVectors } from './question-vectors.ts'

/** A model that answers when it is told to. */
function openSlowModel() {
  const waiting: {
    readonly text: string
    readonly answer: () => void
    readonly fail: () => void
  }[] = []
  const embedder: Embedder = {
    isReady: true,
    warmUp() {},
    space: async () => 'slow',
    isLike: () => true,
    embed(text) {
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array>()
      waiting.push({
        text,
        answer: () => resolve(new Float32Array([text.length])),
        fail: () => reject(new EmbedderUnavailableError('gone')),
      })
      return promise
    },
    async [Symbol.asyncDispose]() {},
  }
  return { waiting, vectorOf: createQuestionVectors({ embedder }, 60_000) }
}

test('however many ask from however many networks, the model has a bounded number before it', async () => {
  const { waiting, vectorOf } = openSlowModel()
  const asked = Array.from({ length: 2_000 }, (_, place) =>
    vectorOf(`question ${place}`, `n${place}`),
  )
  expect(waiting.length).toBeLessThanOrEqual(64)
  for (const { answer } of waiting) answer()
  const vectors = await Promise.all(asked)
  // The newest are those that go on without.
  expect(vectors.findIndex((vector) => vector === undefined)).toBe(waiting.length)
  expect(vectors.filter(Boolean)).toHaveLength(waiting.length)
})

test('one network leaves room for the others, and gets its own back', async () => {
  const { waiting, vectorOf } = openSlowModel()
  const flood = Array.from({ length: 500 }, (_, place) => vectorOf(`flood ${place}`, '192.0.2.1'))
  const other = vectorOf('a logo', '198.51.100.7')
  const before = waiting.length
  expect(waiting.map(({ text }) => text)).toContain('a logo')
  for (const { answer, fail, text } of waiting.splice(0)) (text.endsWith('0') ? fail : answer)()
  await Promise.all(flood)
  expect(await other).toBeDefined()
  const again = vectorOf('another', '192.0.2.1')
  expect({ before: before < 20, again: waiting.map(({ text }) => text) }).toEqual({
    before: true,
    again: ['another'],
  })
  waiting[0]?.answer()
  expect(await again).toBeDefined()
})

test('what is asked twice at a time is embedded once, and what was answered not again', async () => {
  const { waiting, vectorOf } = openSlowModel()
  const both = Promise.all([vectorOf('logo', 'a'), vectorOf('logo', 'b')])
  expect(waiting).toHaveLength(1)
  waiting[0]?.answer()
  const [one, other] = await both
  expect(one).toBe(other)
  expect(await vectorOf('logo', 'c')).toBe(one)
  expect(waiting).toHaveLength(1)
})
