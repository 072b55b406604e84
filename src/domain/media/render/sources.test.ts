import { expect, test } from 'bun:test'

import {
  RendererUnavailableError,
  RenderSourceError,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'
import { withSoundSource } from './sources.ts'

/** Work that fails so often as there are errors, and what came of it. */
async function attempt(errors: readonly Error[], mend?: () => Promise<boolean>) {
  let tries = 0
  const work = async (): Promise<string> => {
    const error = errors[tries]
    tries += 1
    if (error !== undefined) throw error
    return 'done'
  }
  const outcome = await withSoundSource({ mend }, 'sha256', work).catch((error: unknown) => error)
  return { outcome, tries }
}

const damaged = new UnrenderableImageError('damaged', 'must be whole and undamaged')
const missing = new RenderSourceError('The picture is not where it should be')

test('a file that is missing, and one whose bytes are not its own, is put right and tried once more', async () => {
  for (const error of [damaged, missing])
    expect(await attempt([error], async () => true)).toEqual({ outcome: 'done', tries: 2 })
})

test('a picture is called damaged where its bytes are its own', async () => {
  expect(await attempt([damaged], async () => false)).toMatchObject({
    outcome: { code: 'UnprocessableImage', message: 'The image must be whole and undamaged' },
    tries: 1,
  })
  expect(await attempt([damaged, damaged], async () => true)).toMatchObject({
    outcome: { code: 'UnprocessableImage' },
    tries: 2,
  })
})

test('a file that cannot be put right is not at hand, and nothing is said of the picture', async () => {
  for (const mend of [undefined, async () => false])
    expect(await attempt([missing], mend)).toMatchObject({
      outcome: { code: 'Unavailable', cause: missing },
      tries: 1,
    })
})

test('a renderer that cannot work is no reason to doubt a file', async () => {
  const outcome = await attempt([new RendererUnavailableError('gone')], async () => true)

  expect(outcome).toMatchObject({ outcome: { code: 'Unavailable' }, tries: 1 })
})
