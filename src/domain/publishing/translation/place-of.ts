import { type RuleFileName, ruleFileNames } from '../../../ports/records/zone.ts'
import {
  type AssetPath,
  clientsDirectory,
  isAssetPath,
  placeholderName,
} from '../../content/asset-path.ts'
import { ownDirectory } from '../../content/metadata/sidecar-paths.ts'
import { isZoneName } from '../../content/zone-name.ts'
import { zoneSettingsPath } from '../../content/zone-settings.ts'

/** A path of the repository, as what it means to the service. */
export type Place =
  | { readonly kind: 'asset'; readonly path: AssetPath }
  | { readonly kind: 'zone'; readonly zone: string }
  | { readonly kind: 'zone-settings'; readonly zone: string }
  | { readonly kind: 'placeholder'; readonly zone: string }
  | { readonly kind: 'rules'; readonly name: RuleFileName }
  /** What the service keeps of a zone beside its files. */
  | { readonly kind: 'own'; readonly zone: string }
  | { readonly kind: 'other' }

/** Commits made by other means may hold any path; what means nothing to the service is `other`. */
export function placeOf(path: string): Place {
  const ruleFile = ruleFileNames.find((name) => name === path)
  if (ruleFile) return { kind: 'rules', name: ruleFile }
  const [root, zone, ...below] = path.split('/')
  if (root !== clientsDirectory || zone === undefined || !isZoneName(zone)) return { kind: 'other' }
  return placeIn(zone, path, below)
}

function placeIn(zone: string, path: string, below: readonly string[]): Place {
  if (below.length === 0) return { kind: 'zone', zone }
  if (path === zoneSettingsPath(zone)) return { kind: 'zone-settings', zone }
  if (below[0] === ownDirectory) return { kind: 'own', zone }
  if (below[0] === 'v1' && below.at(-1) === placeholderName) return { kind: 'placeholder', zone }
  const assetPath = [zone, ...below].join('/')
  return isAssetPath(assetPath) ? { kind: 'asset', path: assetPath } : { kind: 'other' }
}
