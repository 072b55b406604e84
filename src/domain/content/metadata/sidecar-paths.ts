import { type AssetPath, isAssetPath, placeholderName, zoneOf } from '../asset-path.ts'
import type { Delete, Tree } from '../../../ports/content/content-store.ts'
import { type RuleFileName, ruleFileNames } from '../../../ports/records/zone.ts'
import { zoneDirectory, zoneSettingsPath } from '../zone-settings.ts'

export const ownDirectory = '.sedge'
const extension = '.json'

/** What the service keeps of a zone beside its files: never delivered, never listed. */
export const ownDirectoryOf = (zone: string): string => `${zoneDirectory(zone)}/${ownDirectory}`

/** Which fields of its own a zone's assets have: a JSON Schema. */
export const fieldsPath = (zone: string): string => `${ownDirectoryOf(zone)}/fields.json`

/** A rule file that is for the zone alone. */
export const ownRulesPath = (zone: string, file: RuleFileName): string =>
  `${ownDirectoryOf(zone)}/${file}`

/** The rule file that a path of the zone's own directory is, if any. */
export const ownRuleFileAt = (zone: string, path: string): RuleFileName | undefined =>
  ruleFileNames.find((file) => path === ownRulesPath(zone, file))

/** Which pages of other origins may use it. */
export const corsPath = (zone: string): string => `${ownDirectoryOf(zone)}/cors.json`

/** Where it is kept what is known of an asset. */
export function sidecarPath(path: AssetPath): string {
  const zone = zoneOf(path)
  return `${ownDirectoryOf(zone)}/assets/${path.slice(zone.length + 1)}${extension}`
}

/** The asset that a file of the repository is about, whether there is such an asset or not. */
export function assetOfSidecar(zone: string, path: string): AssetPath | undefined {
  const described = describedBy(zone, path)
  return described !== undefined && isAssetPath(described) ? described : undefined
}

/** The same of a placeholder, too: of a directory that is an object something may be said. */
export function describedBy(zone: string, path: string): string | undefined {
  const prefix = `${ownDirectoryOf(zone)}/assets/`
  if (!path.startsWith(prefix) || !path.endsWith(extension)) return undefined
  const described = `${zone}/${path.slice(prefix.length, -extension.length)}`
  return isAssetPath(described) || described.endsWith(`/${placeholderName}`) ? described : undefined
}

/** What is known of files makes no zone, and keeps none: a zone is there while it has anything else. */
export async function hasZone(tree: Pick<Tree, 'find'>, zone: string): Promise<boolean> {
  const directory = zoneDirectory(zone)
  if ((await tree.find(directory)) === undefined) return false
  if ((await tree.find(ownDirectoryOf(zone))) === undefined) return true
  const others = [`${directory}/v1`, zoneSettingsPath(zone)]
  return (await Promise.all(others.map((path) => tree.find(path)))).some(Boolean)
}

/** Whether a file of the repository tells of an asset, or of a directory that is an object. */
export function isSidecar(path: string): boolean {
  const [, zone = ''] = path.split('/')
  return describedBy(zone, path) !== undefined
}

/** What takes away what is known of a file that is taken away. */
export async function sidecarRemoval(
  tree: Pick<Tree, 'find'>,
  path: AssetPath,
): Promise<readonly Delete[]> {
  const sidecar = sidecarPath(path)
  const found = await tree.find(sidecar)
  return found?.kind === 'file' ? [{ kind: 'delete', path: sidecar }] : []
}
