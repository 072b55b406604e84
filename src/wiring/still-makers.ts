import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { FfmpegDecoder } from '../adapters/ffmpeg/ffmpeg-decoder.ts'
import { BoxedStillMaker } from '../adapters/stills/boxed-still-maker.ts'
import { WebCodecsDecoder } from '../adapters/webcodecs/webcodecs-decoder.ts'
import type { Config } from '../config/config.ts'
import { createVideoStillMaker } from '../domain/media/stills/video-still-maker.ts'
import type { MachineBox } from '../lib/box/child-box.ts'
import type { Renderer } from '../ports/media/renderer.ts'
import type { StillMaker } from '../ports/media/still-maker.ts'
import type { World } from './world.ts'

interface Parts {
  readonly box: MachineBox
  readonly renderer: Renderer
  readonly opening: AsyncDisposableStack
}

/** Who makes a still of which kind of file; the first that knows a kind is asked. */
export function openStillMakers(
  { config, log }: Pick<World, 'log'> & { readonly config: Pick<Config, 'dataDirectory'> },
  { box, renderer, opening }: Parts,
): readonly StillMaker[] {
  const boxed = new BoxedStillMaker({
    directory: join(config.dataDirectory, 'cache', 'still-work'),
    kinds: ['pdf', 'heic', 'jxl', 'psd', 'tiff', 'audio', 'font', 'thumbnail'],
    box,
    onCrash: (how) => log.error('a file ended the process that made a still of it', how),
  })
  const videos = createVideoStillMaker({
    decoders: [new FfmpegDecoder({ box }), new WebCodecsDecoder({ box })],
    heif: boxed.kinds.includes('heic') ? boxed : undefined,
    renderer,
    withFile: handedFiles(join(config.dataDirectory, 'cache', 'video-frames')),
  })
  return [opening.use(boxed), opening.use(videos)]
}

/** Files that are there while somebody reads them. */
const handedFiles =
  (directory: string) =>
  async <T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, randomUUID())
    try {
      await writeFile(path, bytes)
      return await use(path)
    } finally {
      await rm(path, { force: true })
    }
  }
