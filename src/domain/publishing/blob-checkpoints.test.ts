import { expect, test } from 'bun:test'

import { createBlobCheckpoints } from './blob-checkpoints.ts'

function setUp() {
  const marks: string[] = []
  let isWaiting = false
  const checkpoints = createBlobCheckpoints({
    content: { head: async () => 'first', commitsAfter: async function* () {} },
    blobs: {
      checkpoint: async (mark) => {
        marks.push(mark)
        isWaiting = false
      },
      awaitsCheckpoint: () => isWaiting,
      lastCheckpoint: async () => 'first',
    },
    log: { warn: () => {} },
  })
  return {
    checkpoints,
    marks,
    keepLazily: () => {
      isWaiting = true
    },
  }
}

test('a mark that stands where it should costs nothing', async () => {
  const { checkpoints, marks } = setUp()
  await checkpoints.restore('first')
  await checkpoints.advance('first')
  await checkpoints.advance(undefined)
  expect(marks).toEqual([])

  await checkpoints.advance('second')
  await checkpoints.advance('second')
  expect(marks).toEqual(['second'])
})

test('blobs that are of no commit of main are flushed too', async () => {
  const { checkpoints, marks, keepLazily } = setUp()
  await checkpoints.restore('first')
  keepLazily()
  await checkpoints.advance('first')
  await checkpoints.advance('first')

  expect(marks).toEqual(['first'])
})
