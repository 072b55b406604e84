import { join } from 'node:path'

import { openSharpRenderer, type SharpRenderer } from '../adapters/sharp/sharp-renderer.ts'
import type { Config } from '../config/config.ts'
import type { ChildBox, MachineBox } from '../lib/box/child-box.ts'
import { openChildBox } from './child-box.ts'
import type { World } from './world.ts'

export interface RenderingWorld extends Pick<World, 'log'> {
  readonly config: Pick<Config, 'dataDirectory'> & {
    /** The usual where it is left out. */
    readonly renderMemoryBytes?: number
  }
}

/** What images are made with, which takes a while to be ready. */
export interface Rendering {
  readonly box: MachineBox
  readonly renderer: Promise<SharpRenderer>
}

/** Started early, it is ready when it is needed; whoever waits for it is told why it is not. */
export function startRendering(world: RenderingWorld, opening: AsyncDisposableStack): Rendering {
  const box = openChildBox(world.log)
  const renderer = openRenderer(world, box)
  const started = renderer.catch(() => undefined)
  // Where what opens in between fails, nobody else ends it.
  opening.defer(async () => await (await started)?.[Symbol.asyncDispose]())
  return { box, renderer }
}

const openRenderer = ({ config, log }: RenderingWorld, box: ChildBox) =>
  openSharpRenderer({
    directory: join(config.dataDirectory, 'cache', 'render'),
    box,
    onCrash: (how) => log.error('an image ended the process that worked on it', how),
    ...(config.renderMemoryBytes !== undefined && { memoryBytes: config.renderMemoryBytes }),
  })
