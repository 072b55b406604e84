import type { Manifest } from '../../../ports/records/manifest.ts'
import { ServiceError } from '../../errors.ts'
import { encodePath } from '../asset-path.ts'
import { decideRedirect } from '../rules/books/book-redirects.ts'
import { createRuleBooks } from '../rules/books/rule-books.ts'
import { ruledUrl } from '../rules/books/ruled-url.ts'
import type { ClientFacts } from '../rules/redirects/redirect-rules.ts'

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

export function createWithheldAssets(
  published: Pick<Manifest, 'ruleFile' | 'zone'>,
): WithheldAssets {
  const bookOf = createRuleBooks(published)
  return {
    requireShown(path, { hostname, zone }) {
      const url = ruledUrl({ hostname, path: `/${encodePath(path)}` }, zone)
      const { action } = decideRedirect(bookOf(url.zone), {
        ...url,
        origin: `https://${hostname}`,
        query: '',
        client: nobody,
      })
      if (action?.kind === 'rewrite' && action.status >= 400)
        throw new ServiceError('AssetNotFound', `No asset at "${path}"`)
    },
  }
}
