import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Variant } from '../../../ports/media/variant-store.ts'
import { encodePath } from '../../content/asset-path.ts'
import { bookAsksToSanitise } from '../../content/rules/books/book-headers.ts'
import { createRuleBooks } from '../../content/rules/books/rule-books.ts'
import { ruledUrl } from '../../content/rules/books/ruled-url.ts'
import type { SanitisedSvgs } from './sanitised-svgs.ts'

/** SVGs as rules ask for them to be sent, for addresses that are not the SVG's own. */
export interface RuledSvgs {
  /**
   * What to send in place of the stored bytes; `undefined` where those may be sent. Throws
   * `UnprocessableImage` where they may not and cannot be made safe.
   */
  replace(asset: AssetRecord, hostname: string, signal?: AbortSignal): Promise<Variant | undefined>
}

interface Dependencies {
  readonly published: Pick<Manifest, 'ruleFile' | 'zone' | 'zoneOfHost'>
  readonly drawings: SanitisedSvgs
}

const svgType = 'image/svg+xml'

export function createRuledSvgs({ published, drawings }: Dependencies): RuledSvgs {
  const bookOf = createRuleBooks(published)
  return {
    async replace(asset, hostname, signal) {
      if (asset.format !== 'svg' && !asset.contentType.startsWith(svgType)) return undefined
      const path = `/${encodePath(asset.path)}`
      const url = ruledUrl({ hostname, path }, published.zoneOfHost(hostname))
      return bookAsksToSanitise(bookOf(url.zone), url)
        ? await drawings.get(asset, signal)
        : undefined
    },
  }
}
