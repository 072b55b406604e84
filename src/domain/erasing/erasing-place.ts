import type { ErasureRecord, PlaceState } from '../../ports/records/erasure.ts'

/** How far a place has got. */
export interface PlaceOutcome {
  readonly state: PlaceState
  /** For the operator: what was done, or what is still there and what to do about it. */
  readonly detail: string
  /** How many commits had the bytes, where the place knows. */
  readonly commits?: number
}

/** Somewhere bytes may be. */
export interface ErasingPlace {
  /** What the ledger calls it now; of some kinds there are several, and of others none. */
  names(): Promise<readonly string[]>
  /**
   * Forgets the bytes for good, so that nothing of them is left after a power cut; where that was done before,
   * nothing happens. Throws where it could not be done now. `waiting`: somebody else has yet to confirm.
   */
  forget(erasure: ErasureRecord, name: string): Promise<PlaceOutcome>
}

/** A place there is one of. */
export const singlePlace = (
  name: string,
  forget: (erasure: ErasureRecord) => Promise<Omit<PlaceOutcome, 'state'> & Partial<PlaceOutcome>>,
): ErasingPlace => ({
  names: async () => [name],
  forget: async (erasure) => ({ state: 'confirmed', ...(await forget(erasure)) }),
})
