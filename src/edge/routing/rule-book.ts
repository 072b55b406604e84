import {
  compileHeaderRules,
  type HeaderRules,
} from '../../domain/content/rules/headers/header-rules.ts'
import {
  compileRedirectRules,
  type RedirectRules,
} from '../../domain/content/rules/redirects/redirect-rules.ts'
import type { Manifest } from '../../ports/records/manifest.ts'

/** Both rule files as they are published now. The same object means that neither has changed. */
export interface RuleBook {
  readonly headers: HeaderRules
  readonly redirects: RedirectRules
}

/** Answers with the current rules, compiled once for each content. */
export function createRuleBooks(manifest: Pick<Manifest, 'ruleFile'>): () => RuleBook {
  let headersContent = ''
  let redirectsContent = ''
  let current: RuleBook = {
    headers: compileHeaderRules(''),
    redirects: compileRedirectRules(''),
  }
  return () => {
    const headers = manifest.ruleFile('_headers') ?? ''
    const redirects = manifest.ruleFile('_redirects') ?? ''
    if (headers === headersContent && redirects === redirectsContent) return current
    current = {
      headers: headers === headersContent ? current.headers : compileHeaderRules(headers),
      redirects:
        redirects === redirectsContent ? current.redirects : compileRedirectRules(redirects),
    }
    headersContent = headers
    redirectsContent = redirects
    return current
  }
}
