import type { RenderJob, UnrenderableReason } from '../../../ports/media/renderer.ts'
import type { SentResult } from './large-bytes.ts'

export interface JobMessage {
  readonly kind: 'job'
  readonly job: RenderJob
}

export type ChildMessage =
  /** With the layers of the box that it is in. */
  | { readonly kind: 'ready'; readonly layers: readonly string[] }
  | {
      readonly kind: 'done'
      readonly sent: SentResult
      readonly cpuMs: number
      readonly rssBytes: number
    }
  /** The file could not be opened. */
  | { readonly kind: 'unreadable'; readonly cause: string; readonly rssBytes: number }
  | {
      readonly kind: 'unrenderable'
      readonly reason: UnrenderableReason
      readonly message: string
      /** What the library said, for the log. */
      readonly cause: string
      readonly rssBytes: number
    }
