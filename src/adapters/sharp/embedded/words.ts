import type { EmbeddedMember } from '../../../ports/records/asset-metadata.ts'

export interface Phrase {
  readonly text: string
  readonly language?: string | undefined
}

/** What one source says, as it is written there. */
export type Words = Readonly<Record<EmbeddedMember, readonly Phrase[]>>

export const noWords: Words = {
  title: [],
  alt: [],
  description: [],
  tags: [],
  copyright: [],
  licence: [],
}
