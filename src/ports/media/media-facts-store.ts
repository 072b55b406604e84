import type { Face, ImageAnalysis, ImageHeader, Point } from './renderer.ts'

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
  /** Absent until the image has been analysed. */
  readonly analysis: AnalysedFacts | undefined
  /** Where the owner says the subject is; stands above what was found. */
  readonly focalPoint: Point | undefined
  /** What is written in it, cleaned; absent until somebody has looked for it. */
  readonly text: string | undefined
}

/** What can be found again by looking once more. */
export type FoundFacts = Omit<MediaFacts, 'focalPoint' | 'text'>

/** Facts about images by the SHA-256 of their bytes. All but focal points can be found again. */
export interface MediaFactsStore {
  find(sha256: string): Promise<MediaFacts | undefined>
  /** Keeps header and analysis; a focal point and a text that are kept already stay. */
  save(facts: FoundFacts): Promise<void>
  /** `undefined` takes the owner's word back. Answers whether the image is known. */
  setFocalPoint(sha256: string, point: Point | undefined): Promise<boolean>
  /** Answers whether the image is known. */
  setText(sha256: string, text: string): Promise<boolean>
  /** Forgets everything that can be found again by looking, of all images; headers and focal points stay. */
  forgetFound(): Promise<void>
  /** Forgets an image. Not an error where it is not known. */
  remove(sha256: string): Promise<void>
  /** Forgets them all. */
  removeAll(): Promise<void>
}
