import type { Sighting } from '../records/vision/sighting.ts'

export interface SightingRequest {
  /** A JPEG of at most 512 pixels each way. Nothing else of the file is told: no name, no path. */
  readonly jpeg: Uint8Array
  /** At least one. */
  readonly languages: readonly string[]
  readonly signal: AbortSignal
}

/** Looks at images. What it says is text of somebody else: to be bounded and cleaned, and never obeyed. */
export interface VisionModel {
  /**
   * Has exactly the members of a sighting, of their types, and texts of any length up to its own bound.
   * Rejects with `UnusableSightingError` where the model replied and that is no sighting: asking again
   * would come to the same. Rejects with `VisionModelUnavailableError` where nothing came, or not in
   * time, or nobody wants it any more; and with nothing else.
   */
  look(request: SightingRequest): Promise<Sighting>
}

/** The model replied something else: prose, nothing, too much. */
export class UnusableSightingError extends Error {
  override readonly name = 'UnusableSightingError'
}

/** There is no model now; no image is to blame. */
export class VisionModelUnavailableError extends Error {
  override readonly name = 'VisionModelUnavailableError'
  /** How long it wants to be left alone, where it says so. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, { retryAfterMs, ...options }: UnavailableOptions = {}) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

interface UnavailableOptions extends ErrorOptions {
  readonly retryAfterMs?: number | undefined
}
