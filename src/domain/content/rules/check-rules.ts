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

interface CheckOptions extends Partial<RuleChecks> {
  /** Whose own the file is; left out, it is for all zones. */
  readonly zone?: string | undefined
}

/** Everything there is to say of a rule file, line by line. */
export function checkRules(
  file: RuleFileName,
  content: string,
  { isOwnHost = () => false, checkTransforms = () => nothing, zone }: CheckOptions = {},
): RuleReport {
  if (file === '_transforms') return checkTransforms(content)
  return file === '_headers'
    ? checkHeaders(content, { zone, isOwnHost })
    : checkRedirects(content, zone)
}

const nothing: RuleReport = { errors: [], warnings: [], ruleCount: 0 }

interface HeaderScope {
  readonly zone: string | undefined
  readonly isOwnHost: IsOwnHost
}

function checkHeaders(content: string, { zone, isOwnHost }: HeaderScope): RuleReport {
  const { blocks, diagnostics } = parseHeaders(content, zone)
  return {
    errors: diagnostics,
    warnings: reviewHeaders(blocks, { zone, isOwnHost }).toSorted(byLine),
    ruleCount: blocks.length,
  }
}

function checkRedirects(content: string, zone: string | undefined): RuleReport {
  const { rules, diagnostics } = parseRedirects(content, zone)
  return {
    errors: diagnostics,
    warnings: reviewRedirects(content, zone).toSorted(byLine),
    ruleCount: rules.length,
  }
}
