import type { Manifest } from '../../../ports/records/manifest.ts'
import { ServiceError } from '../../errors.ts'
import { encodePath } from '../asset-path.ts'
import { otherSpellings } from '../rules/other-spellings.ts'
import { type ClientFacts, compileRedirectRules } from '../rules/redirects/redirect-rules.ts'

/** Assets that rules answer 404, 410 or 451 for: nothing is made of them, either. */
export interface WithheldAssets {
  /** Throws `AssetNotFound` for one of them. `zone` is that of the host name, where it is a zone's own. */
  requireShown(
    path: string,
    at: { readonly hostname: string; readonly zone: string | undefined },
  ): void
}

/** What is made of an asset is kept for all, so a rule for some clients says nothing of it. */
const nobody: ClientFacts = {
  country: () => undefined,
  languages: () => null,
  cookies: () => null,
}

export function createWithheldAssets(published: Pick<Manifest, 'ruleFile'>): WithheldAssets {
  let content = ''
  let rules = compileRedirectRules(content)

  function currentRules() {
    const newest = published.ruleFile('_redirects') ?? ''
    if (newest !== content) rules = compileRedirectRules(newest)
    content = newest
    return rules
  }

  return {
    requireShown(path, { hostname, zone }) {
      const url = `/${encodePath(path)}`
      const { action } = currentRules().decide({
        hostname,
        origin: `https://${hostname}`,
        path: url,
        otherPaths: otherSpellings(url, zone),
        query: '',
        client: nobody,
      })
      if (action?.kind === 'rewrite' && action.status >= 400)
        throw new ServiceError('AssetNotFound', `No asset at "${path}"`)
    },
  }
}
