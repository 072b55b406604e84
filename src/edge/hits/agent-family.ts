import { knownAgentFamily } from '../../lib/text/agent-family.ts'
import { noName } from './referrer-name.ts'

const otherAgent = 'Other'

/** The program that a `User-Agent` (RFC 9110 §10.1.5) names, without its version: one of some fifty. */
export const agentFamily = (userAgent: string | null): string =>
  userAgent === null || userAgent === '' ? noName : (knownAgentFamily(userAgent) ?? otherAgent)
