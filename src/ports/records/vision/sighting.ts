/** How fit an image is to be seen by everybody. */
export const safeties = ['safe', 'borderline', 'unsafe'] as const
export type Safety = (typeof safeties)[number]

/** What a model sees in an image. */
export interface Sighting {
  /** What it shows, by language (BCP 47): those that were asked for, and no other. */
  readonly alt: Readonly<Record<string, string>>
  readonly tags: readonly string[]
  /** What is written in it; '' where nothing is. */
  readonly text: string
  readonly safety: Safety
}
