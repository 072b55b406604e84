export interface ImageLikenessTable {
  readonly sha256: string
  /** 32 hex digits; empty where there is nothing to compare. */
  readonly likeness: string
}
