import type { Safety, Sighting } from '../records/vision/sighting.ts'

/** That a model looked at an image once, and what came of it. */
export interface KeptSighting {
  readonly seenAt: Date
  /** Absent where the model said nothing that could be used: it is not asked again. */
  readonly sighting: Sighting | undefined
}

/** A member of what is suggested that somebody took or does not want. */
export const suggestedMembers = ['alt', 'tags'] as const
export type SuggestedMember = (typeof suggestedMembers)[number]

/** What was suggested for an asset and is settled, of the bytes that it had then. */
export interface SettledSuggestion {
  readonly path: string
  readonly sha256: string
  readonly members: readonly SuggestedMember[]
}

/** What models saw, by the SHA-256 of the bytes. It costs to have it again: it is never lost but on purpose. */
export interface SightingStore {
  find(sha256: string): Promise<KeptSighting | undefined>
  /** Replaces what was kept before. */
  save(sha256: string, kept: KeptSighting): Promise<void>
  /** How many were saved at this moment or after it. */
  countSince(moment: Date): Promise<number>
  /** All that is not `safe`, by SHA-256. */
  flagged(): Promise<ReadonlyMap<string, Exclude<Safety, 'safe'>>>
  /** What is settled of a path with these bytes. */
  settled(path: string, sha256: string): Promise<readonly SuggestedMember[]>
  /** Replaces what was settled of the path. */
  settle(suggestion: SettledSuggestion): Promise<void>
  /** Forgets the bytes and what was settled of them. Not an error where they are not known. */
  remove(sha256: string): Promise<void>
}
