import { rememberRecent } from '../../../lib/collections/lru-cache.ts'
import { canonicalJson } from '../../../lib/text/canonical-json.ts'
import type { TransformPlan } from './plan/transform-plan.ts'

/** Raised when the same plan would give other bytes, so that no variant of before is served. */
const engineVersion = 2

/** The plans of what is asked for often; each takes some 600 bytes. */
const maxRemembered = 4096

/** Names a variant: equal for every spelling of one transform, different wherever the plan is. */
export type VariantKeys = (sourceSha256: string, plan: TransformPlan) => string

/**
 * Keys are hashes of the whole plan, in an order of members that does not depend on how it was put
 * together. A hash costs five times what remembering it does.
 */
export function createVariantKeys(): VariantKeys {
  const hashOf = rememberRecent(
    (text: string) => sha256Of(canonicalJson(JSON.parse(text))),
    maxRemembered,
  )
  return (sourceSha256, plan) => hashOf(JSON.stringify([engineVersion, sourceSha256, plan]))
}

const sha256Of = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')
