import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'

/** What the world around the service is made of; tests bring their own. */
export interface World {
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
  readonly newId: () => string
  readonly monotonicMs: () => number
  /** Called once where nothing but a restart helps, e.g. after a failed fsync. */
  readonly onFatal: (cause: unknown) => void
}
