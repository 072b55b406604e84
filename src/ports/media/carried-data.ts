/** How an image goes beyond white: by its transfer function, or by a map of how much brighter what is. */
export type HdrKind = 'pq' | 'hlg' | 'gain-map'

/** What the C2PA manifest of an image says, which nobody has verified. */
export interface ContentCredentials {
  /** How many there are, with those of what it was made from. */
  readonly manifests: number
  /** What made the manifest. */
  readonly generator: string | undefined
  readonly title: string | undefined
  /** E.g. `c2pa.created`, and whether a camera, a person or a model is behind it. */
  readonly actions: readonly {
    readonly name: string
    /** The IPTC digital source type, e.g. `trainedAlgorithmicMedia`. */
    readonly source: string | undefined
  }[]
}

/** What lies in a file beside its pixels and goes where they are made anew. */
export interface CarriedData {
  readonly hdr?: HdrKind | undefined
  readonly credentials?: ContentCredentials | undefined
}
