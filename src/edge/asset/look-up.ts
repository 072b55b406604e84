import type { Pins, WantedPast } from '../../domain/content/past/pins.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Decision, Visit } from '../routing/decision.ts'
import { type Refusal, refusals } from '../routing/refusals.ts'

/** What is known of former commits, and how more comes to be. */
export interface PastLookUp extends Pick<Pins, 'known' | 'knownMoment'> {
  /** Rejects with a `ServiceError` where that cannot be now. */
  learn(wanted: WantedPast, visit: Visit): Promise<void>
}

type UnknownDecision = Extract<Decision, { kind: 'past' }>
export type KnownDecision = Exclude<Decision, UnknownDecision>

interface Options {
  readonly past: PastLookUp | undefined
  readonly decideOn: (visit: Visit) => Decision
}

/** What was looked up may be forgotten again before it is used, where very much is. */
const maxAttempts = 4

/** Decides once what the decision depends on is looked up. */
export function createLookUp({ past, decideOn }: Options) {
  return async (visit: Visit, first: UnknownDecision): Promise<KnownDecision> => {
    let decision: Decision = first
    for (let attempt = 0; decision.kind === 'past' && attempt < maxAttempts; attempt += 1) {
      const refusal = await refusalOfLearning(past, decision.wanted, visit)
      if (refusal !== undefined) return { kind: 'refused', refusal, about: decision.about }
      decision = decideOn(visit)
    }
    if (decision.kind !== 'past') return decision
    return { kind: 'refused', refusal: refusals.pastMissing, about: decision.about }
  }
}

/** Why something cannot be looked up; `undefined` once it is. */
async function refusalOfLearning(
  past: PastLookUp | undefined,
  wanted: WantedPast,
  visit: Visit,
): Promise<Refusal | undefined> {
  if (past === undefined) return refusals.notFound
  try {
    await past.learn(wanted, visit)
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message, context } = error
    return { code, message, context }
  }
}
