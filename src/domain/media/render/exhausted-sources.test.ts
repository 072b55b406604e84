import { expect, test } from 'bun:test'

import { UnrenderableImageError, type UnrenderableReason } from '../../../ports/media/renderer.ts'
import { createExhaustedSources } from './exhausted-sources.ts'
import { renderRefusal } from './render-refusal.ts'

function house() {
  let at = 0
  let begun = 0
  const sources = createExhaustedSources(() => at)
  const ask = (sourceSha256: string, pixels: number, reason?: UnrenderableReason) =>
    sources.guard({ sources: sourceSha256, pixels }, async () => {
      begun += 1
      if (reason) renderRefusal(new UnrenderableImageError(reason, 'must be another'))
      return 'made'
    })
  return { ask, begun: () => begun, wait: (ms: number) => void (at += ms) }
}

test('a source that was given up for time is refused in other sizes too, without being tried', async () => {
  const { ask, begun, wait } = house()
  const refusal = { code: 'UnprocessableImage' }

  expect(ask('a', 101 * 101, 'too-slow')).rejects.toMatchObject(refusal)
  for (const width of [102, 103, 90, 4000])
    expect(ask('a', width * width)).rejects.toMatchObject(refusal)
  expect(begun()).toBe(1)
  expect(await ask('a', 20 * 20)).toBe('made')
  expect(await ask('b', 101 * 101)).toBe('made')
  wait(60_001)
  expect(await ask('a', 101 * 101)).toBe('made')
})

test('what was refused for another reason is no reason to refuse the rest', async () => {
  const { ask } = house()

  expect(ask('a', 100, 'too-many-pixels')).rejects.toMatchObject({ code: 'UnprocessableImage' })
  expect(await ask('a', 100)).toBe('made')
})
