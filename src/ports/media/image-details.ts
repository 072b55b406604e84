import type { CarriedData } from './carried-data.ts'

/** Text, a number, or several. */
export type ExifValue = string | number | readonly number[]

/** What a file says of the image in it, as it is to be seen (EXIF orientation applied). */
export interface ImageDetails extends CarriedData {
  readonly width: number
  readonly height: number
  /** Those that follow each other in time. */
  readonly frames: number
  /** How long they take once, where there are several. */
  readonly durationMs: number | undefined
  /** Those that lie beside each other, of TIFF. */
  readonly pages: number
  readonly colorModel: 'rgb' | 'grey' | 'cmyk' | 'lab' | 'other'
  /** The name of the colour profile that lies in it. */
  readonly profile: string | undefined
  /** Of one channel; not known of an SVG. */
  readonly bitDepth: number | undefined
  readonly hasAlpha: boolean
  readonly isProgressive: boolean
  /** As it is stored: 1 to 8 (Exif 3.0 §4.6.5.1). */
  readonly orientation: number
  /** EXIF by the names of its fields, without the place it was taken at. */
  readonly exif: Readonly<Record<string, ExifValue>>
}
