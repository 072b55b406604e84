import type { ImageSummary } from './image-summary.ts'
import type { Face, ImageAnalysis, ImageHeader } from './renderer.ts'

/** A smaller copy that was made at publish; `channels` where it is bare pixels. */
export interface MipFacts {
  readonly width: number
  readonly height: number
  /** The key of the variant that holds its bytes. */
  readonly key: string
  readonly channels: 3 | 4 | undefined
}

/** What is known of an image after it has been looked at once. */
export interface AnalysedFacts extends Omit<ImageAnalysis, 'mips' | 'faces'> {
  readonly faces: readonly Face[]
  readonly mips: readonly MipFacts[]
}

export interface MediaFacts {
  readonly sha256: string
  readonly header: ImageHeader
  /** Absent until it has been looked for; of what was analysed before that, the analysis has the same. */
  readonly summary?: ImageSummary | undefined
  /** Absent until the image has been analysed. */
  readonly analysis: AnalysedFacts | undefined
  /** What is written in it, cleaned; absent until somebody has looked for it. */
  readonly text: string | undefined
}

/** What can be found again by looking once more. */
export type FoundFacts = Omit<MediaFacts, 'text' | 'summary'>

/** Facts about images by the SHA-256 of their bytes. All can be found again. */
export interface MediaFactsStore {
  find(sha256: string): Promise<MediaFacts | undefined>
  /** Of those that are known, all that is known, by their SHA-256. */
  findAll(sha256s: readonly string[]): Promise<ReadonlyMap<string, MediaFacts>>
  /** Keeps header and analysis; a text and a summary that are kept already stay. */
  save(facts: FoundFacts): Promise<void>
  /** Of those that were analysed, what they look like (`ImageAnalysis.likeness`), by their SHA-256. */
  likenesses(sha256s: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Answers whether the image is known. */
  setSummary(sha256: string, summary: ImageSummary): Promise<boolean>
  /** The same. */
  setText(sha256: string, text: string): Promise<boolean>
  /** Forgets everything that can be found again by looking, of all images; headers stay. */
  forgetFound(): Promise<void>
  /** Forgets an image and all stills of the file, whose names begin with it and a hyphen. Not an error where none is known. */
  remove(sha256: string): Promise<void>
  /** Forgets them all. */
  removeAll(): Promise<void>
}
