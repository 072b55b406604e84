import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Variant } from '../../../ports/media/variant-store.ts'
import { encodePath } from '../../content/asset-path.ts'
import { compileHeaderRules } from '../../content/rules/headers/header-rules.ts'
import { otherSpellings } from '../../content/rules/other-spellings.ts'
import { asksToSanitise } from '../../content/rules/headers/sanitise-rule.ts'
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
  readonly published: Pick<Manifest, 'ruleFile' | 'zoneOfHost'>
  readonly drawings: SanitisedSvgs
}

const svgType = 'image/svg+xml'

export function createRuledSvgs({ published, drawings }: Dependencies): RuledSvgs {
  let content = ''
  let rules = compileHeaderRules(content)

  function currentRules() {
    const newest = published.ruleFile('_headers') ?? ''
    if (newest !== content) rules = compileHeaderRules(newest)
    content = newest
    return rules
  }

  return {
    async replace(asset, hostname, signal) {
      if (asset.format !== 'svg' && !asset.contentType.startsWith(svgType)) return undefined
      const path = `/${encodePath(asset.path)}`
      const otherPaths = otherSpellings(path, published.zoneOfHost(hostname))
      return asksToSanitise(currentRules(), { hostname, path, otherPaths })
        ? await drawings.get(asset, signal)
        : undefined
    },
  }
}
