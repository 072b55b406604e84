import type { UnrenderableReason } from '../../ports/media/renderer.ts'
import type { StillKind, StillOutcome, StillPlace } from '../../ports/media/still-maker.ts'

/** The file that a still is made of. The child that has it can open no other. */
export interface StillFile {
  readonly path: string
  readonly sizeBytes: number
  /** For the maker's own files; gone afterwards. */
  readonly scratch: string
  /** From where packages are looked for that are not installed by default. */
  readonly packages: string
}

/**
 * Makes a still in the child. What it throws is a fault of the file; as `UnrenderableImageError` it says
 * which.
 */
export type MakeStill = (file: StillFile, at: StillPlace) => Promise<StillOutcome> | StillOutcome

/** What the child is started with, as its only argument. */
export interface StillRequest {
  readonly of: StillKind
  readonly at: StillPlace
  readonly path: string
  readonly scratch: string
  readonly packages: string
}

export type StillMessage =
  | { readonly kind: 'made'; readonly outcome: StillOutcome; readonly cpuMs: number }
  /** The file could not be opened. */
  | { readonly kind: 'unreadable'; readonly cause: string }
  | {
      readonly kind: 'unrenderable'
      readonly reason: UnrenderableReason
      readonly message: string
      /** What the library said, for the log. */
      readonly cause: string
    }
