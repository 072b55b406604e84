import type { BlobBytes } from '../content/blob-store.ts'
import type { Rendered, SourceFormat } from './renderer.ts'

/** Kinds of files that are no image the renderer reads, and that something can be seen of. */
export const stillKinds = [
  'pdf',
  'heic',
  'jxl',
  'psd',
  'tiff',
  'video',
  'audio',
  'font',
  /** Of a HEIC or an AVIF the thumbnail that is stored in it. */
  'thumbnail',
] as const
export type StillKind = (typeof stillKinds)[number]

/** Where in a file. What is left out is for the maker to choose: its first page, a telling moment. */
export interface StillPlace {
  /** From 1. */
  readonly page?: number | undefined
  /** From the beginning. */
  readonly seconds?: number | undefined
  /** Of a video, an animated image that shows it in so many seconds. */
  readonly preview?: number | undefined
  /** Of a video, small images of all of it in rows. */
  readonly isSprite?: boolean | undefined
  /** The thumbnail that is stored in the file, in the place of the image. */
  readonly isThumbnail?: boolean | undefined
}

export interface StillJob {
  readonly kind: 'still'
  /** A local file; '' for a maker that reads parts. */
  readonly path: string
  /** For a maker that reads parts. */
  readonly bytes?: BlobBytes | undefined
  /** As the first bytes of the file say. */
  readonly of: StillKind
  readonly at: StillPlace
}

export type StillOutcome =
  | {
      readonly outcome: 'made'
      /** An image that the renderer reads, as it is to be seen, in its own size and at most 25 MB. */
      readonly bytes: Uint8Array
      readonly format: Exclude<SourceFormat, 'svg'>
      /** How many the file has, where it has pages. */
      readonly pages?: number | undefined
      /** What is written in the file, to find it by; not cleaned, some 20,000 characters at most. */
      readonly text?: string | undefined
    }
  /** There is nothing to be seen of such a file, as of a song without a cover. A card is drawn for it. */
  | { readonly outcome: 'none' }
  /** What would read it is not installed: what to do about that, as in `npm install x@1`. */
  | { readonly outcome: 'absent'; readonly install: string }
  /** The file has no such page or moment. `has` completes `The file has …`: `3 pages`. */
  | { readonly outcome: 'beyond'; readonly target: 'page' | 't'; readonly has: string }

/**
 * Makes a still of a file: one image that stands for it. From then on the still is to the service what
 * the bytes of an image are: it is kept by the SHA-256 of the file and the place in it, and every
 * transform, placeholder and fact of the file is made from it.
 *
 * A file may be hostile. Whatever it is, {@link make} ends within the maker's own budget of time and
 * memory, and nothing else is harmed by it: decoding is done in a child that can be killed, without a
 * network and with no file but this one. The same job has the same outcome, but for `absent`.
 */
export interface StillMaker extends AsyncDisposable {
  readonly kinds: readonly StillKind[]
  /** Whether it reads a few parts of a file, which may be large and elsewhere. */
  readonly readsParts?: boolean
  /** How long one job may take of a core. */
  readonly maxMs: number
  /**
   * Asked with its own kinds alone. Rejects with `UnrenderableImageError` where the file is at fault
   * (damaged, hostile, over a budget), with `RenderSourceError` where it cannot be opened, and with
   * `RendererUnavailableError` where nothing can be made now: neither of these two says anything of the
   * file.
   */
  make(job: StillJob): Promise<Rendered<StillOutcome>>
}
