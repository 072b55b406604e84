export interface ImageLikenessTable {
  readonly sha256: string
  /** 32 hex digits; empty where there is nothing to compare. */
  readonly likeness: string
}

export interface VectorTable {
  /** The model and its engine. */
  readonly space: string
  readonly text_hash: string
  readonly vector: Uint8Array
}
