/** `told`: what lies there is out of reach; whoever runs it is told what it still holds. */
export const placeStates = ['waiting', 'confirmed', 'failed', 'told'] as const
export type PlaceState = (typeof placeStates)[number]

/** One place that had bytes, or may have had them, and how far it has got with forgetting them. */
export interface ErasurePlace {
  /** `repository`, `blobs`, …; of an edge `edge:` and its name. */
  readonly name: string
  readonly state: PlaceState
  /** When it came to that state. */
  readonly at: Date
  /** For the operator: what was done, what is still there, or why it failed. May be empty. */
  readonly detail: string
}

/** An order to forget bytes for good, and how far it has got. */
export interface ErasureRecord {
  readonly id: string
  /** The asset that was named; `undefined` where bytes were, by their SHA-256. */
  readonly path: string | undefined
  /** What is erased. */
  readonly blobs: readonly { readonly sha256: string; readonly sizeBytes: number }[]
  readonly reason: string
  readonly createdAt: Date
  /** When the last place confirmed. */
  readonly doneAt: Date | undefined
  /** The id of a credential. */
  readonly createdBy: string
  /** The paths that had the bytes when it was ordered. */
  readonly paths: readonly string[]
  /** How many commits had them; `undefined` until the repository was rewritten. */
  readonly commits: number | undefined
  /** The number of the feed that tells of it; `undefined` until it was told. */
  readonly feedSeq: number | undefined
  readonly places: readonly ErasurePlace[]
}
