import type { Point } from './renderer.ts'

export interface FormerFocalPoint {
  readonly sha256: string
  readonly point: Point
}

/**
 * Focal points as they were kept before each asset had its own: by the SHA-256 of the bytes. Nothing adds
 * to them, and nothing of them is removed, so that an older version finds them where it left them.
 */
export interface FormerFocalPoints {
  /** Those that have not been carried over to assets. */
  waiting(): Promise<readonly FormerFocalPoint[]>
  /** From here on none of those that were kept is waiting. */
  markCarried(): Promise<void>
}
