import type { CodedFrames } from '../../ports/media/frame-decoder.ts'

export interface WebCodecsRequest {
  /** The file that the package is loaded from. */
  readonly module: string
  readonly frames: CodedFrames
}

/** What the process that decodes says. */
export type WebCodecsMessage =
  | { readonly kind: 'ready'; readonly layers: readonly string[] }
  | { readonly kind: 'decoded'; readonly jpegs: readonly Uint8Array[] }
  | { readonly kind: 'damaged'; readonly cause: string }
  /** The package cannot be loaded; no frame is to blame. */
  | { readonly kind: 'refused'; readonly cause: string }
