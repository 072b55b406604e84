import type { ChooseCoding } from '../codings/choose-coding.ts'
import type { Coding } from '../codings/encode.ts'
import type { CountPlace } from '../hits/asset-counts.ts'
import type { Representation } from '../response/representation.ts'
import type { Route } from '../routing/decision.ts'

/** Everything needed to answer for one URL. True while `isCurrent` says so. */
export interface Entry {
  readonly route: Route
  readonly identity: Representation
  /** Whether the type is worth coding, and so whether Accept-Encoding decides. */
  readonly isCompressible: boolean
  /** Whether a browser could keep it as a service worker, and must not. */
  readonly isGuardedScript: boolean
  /** Filled in once the codings have been made; the bytes never change, so neither does this. */
  coded: CodedRepresentations | undefined
  /** What it has beyond what a client has, by that one's SHA-256; few. */
  readonly deltas: Map<string, Representation>
  readonly place: CountPlace
  /** The newest purge that is known not to cover it. */
  generation: number
}

export interface CodedRepresentations {
  readonly choose: ChooseCoding
  readonly byCoding: ReadonlyMap<Coding, Representation>
}
