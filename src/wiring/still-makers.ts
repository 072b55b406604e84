import { join } from 'node:path'

import { BoxedStillMaker } from '../adapters/stills/boxed-still-maker.ts'
import type { Config } from '../config/config.ts'
import type { ChildBox } from '../lib/box/child-box.ts'
import type { StillMaker } from '../ports/media/still-maker.ts'
import type { World } from './world.ts'

/** Who makes a still of which kind of file; the first that knows a kind is asked. */
export function openStillMakers(
  { config, log }: Pick<World, 'log'> & { readonly config: Pick<Config, 'dataDirectory'> },
  box: ChildBox,
  opening: AsyncDisposableStack,
): readonly StillMaker[] {
  const boxed = new BoxedStillMaker({
    directory: join(config.dataDirectory, 'cache', 'still-work'),
    kinds: ['audio'],
    box,
    onCrash: (how) => log.error('a file ended the process that made a still of it', how),
  })
  return [opening.use(boxed)]
}
