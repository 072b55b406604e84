import type { RuleFileName } from '../../../ports/records/zone.ts'
import { byLine, parseHeaders } from './headers/parse-headers.ts'
import { parseRedirects } from './redirects/parse-redirects.ts'
import { type IsOwnHost, reviewHeaders } from './headers/review-headers.ts'
import { reviewRedirects } from './redirects/review-redirects.ts'
import type { RuleDiagnostic } from './rule-diagnostic.ts'

export interface RuleReport {
  /** Lines that can never take effect, in file order. */
  readonly errors: readonly RuleDiagnostic[]
  /** Lines that work, but maybe not as meant, in file order. */
  readonly warnings: readonly RuleDiagnostic[]
  /** How many blocks or redirects are in force. */
  readonly ruleCount: number
}

/** What has to be known to check rules besides their text. */
export interface RuleChecks {
  /** Whether a host name is one of the service's own, as far as that is known. */
  readonly isOwnHost: IsOwnHost
  /** The same report of a `_transforms`, by those who know what can be made of images. */
  readonly checkTransforms: (content: string) => RuleReport
}

/** Everything there is to say of a rule file, line by line. */
export function checkRules(
  file: RuleFileName,
  content: string,
  { isOwnHost = () => false, checkTransforms = () => nothing }: Partial<RuleChecks> = {},
): RuleReport {
  if (file === '_transforms') return checkTransforms(content)
  return file === '_headers' ? checkHeaders(content, isOwnHost) : checkRedirects(content)
}

const nothing: RuleReport = { errors: [], warnings: [], ruleCount: 0 }

function checkHeaders(content: string, isOwnHost: IsOwnHost): RuleReport {
  const { blocks, diagnostics } = parseHeaders(content)
  return {
    errors: diagnostics,
    warnings: reviewHeaders(blocks, isOwnHost).toSorted(byLine),
    ruleCount: blocks.length,
  }
}

function checkRedirects(content: string): RuleReport {
  const { rules, diagnostics } = parseRedirects(content)
  return {
    errors: diagnostics,
    warnings: reviewRedirects(content).toSorted(byLine),
    ruleCount: rules.length,
  }
}
