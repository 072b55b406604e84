import { afterAll, beforeAll, test } from 'bun:test'

import { craftedVideos, soundVideos } from '../fixtures/hostile-videos.ts'
import { changed, cutOff, type HostileFiles, openHostileFiles } from '../support/hostile-files.ts'
import { createRandom, seedOf } from '../support/random.ts'

/** What a budget may be overdrawn by on a busy machine. */
const patienceMs = 120_000

let files: HostileFiles
beforeAll(async () => {
  files = await openHostileFiles()
}, 60_000)
afterAll(() => files[Symbol.asyncDispose]())

/** Everything that can be had of a video. */
const ofVideo = (path: string): readonly string[] => [
  `/api/transform?url=/${path}&w=64&format=webp`,
  `/api/transform?url=/${path}&w=64&t=1.5&format=webp`,
  `/api/transform?url=/${path}&w=64&preview=1&format=webp`,
  `/api/stream/thumbnails?path=${path}`,
  `/api/picture?path=${path}`,
  `/api/info?url=/${path}`,
  `/${path}`,
]

for (const [name, build] of Object.entries(craftedVideos))
  test(
    `${name} is refused or shown as far as it goes, and nothing else notices`,
    async () => {
      await files.isHeldOut(name, await build(), ofVideo)
      await files.isUnmoved()
    },
    patienceMs,
  )

test(
  'videos that are cut off or changed anywhere are too',
  async () => {
    const random = createRandom(seedOf('hostile videos'))
    for (const [index, [extension, sound]] of (await soundVideos()).entries()) {
      await files.isHeldOut(`cut-${index}.${extension}`, cutOff(sound, random), ofVideo)
      await files.isHeldOut(`changed-${index}.${extension}`, changed(sound, random), ofVideo)
    }
    await files.isUnmoved()
  },
  patienceMs,
)
