/** What stands for an image until it is there. */
export interface ImageSummary {
  /** ThumbHash of the image, base64. */
  readonly thumbHash: string
  /** At most five, the most common first. */
  readonly colors: readonly DominantColor[]
}

export interface DominantColor {
  /** `#rrggbb` */
  readonly hex: string
  readonly name: string
  /** Of all pixels that are not transparent, 0 to 1. */
  readonly share: number
}
