import { expect, test } from 'bun:test'

import type { Sighting } from '../records/vision/sighting.ts'
import {
  UnusableSightingError,
  type VisionModel,
  VisionModelUnavailableError,
} from './vision-model.ts'

/** What the model is to reply to the next image. */
export type Reply = Sighting | 'prose' | 'unavailable'

interface House extends AsyncDisposable {
  readonly model: VisionModel
}

const leaf: Sighting = {
  alt: { en: 'A leaf', de: 'Ein Blatt' },
  tags: ['leaf', 'green'],
  text: '',
  safety: 'safe',
}
const request = {
  jpeg: new Uint8Array([0xff, 0xd8]),
  languages: ['en', 'de'],
  signal: new AbortController().signal,
}

/** What every VisionModel must do. The test of each adapter calls this once. */
export function visionModelContract(name: string, open: (reply: Reply) => Promise<House>): void {
  test(`${name}: what is seen is said in the languages that were asked for`, async () => {
    await using house = await open(leaf)

    expect(await house.model.look(request)).toEqual(leaf)
  })

  test(`${name}: what is no sighting is told apart from nothing at all`, async () => {
    for (const [reply, fault] of [
      ['prose', UnusableSightingError],
      ['unavailable', VisionModelUnavailableError],
    ] as const) {
      await using house = await open(reply)
      const looking = house.model.look(request).catch((error: unknown) => error)
      expect(await looking).toBeInstanceOf(fault)
    }
  })

  test(`${name}: nobody is waited for who has left`, async () => {
    await using house = await open(leaf)
    const looking = house.model.look({ ...request, signal: AbortSignal.abort() })

    expect(await looking.catch((error: unknown) => error)).toBeInstanceOf(
      VisionModelUnavailableError,
    )
  })
}
