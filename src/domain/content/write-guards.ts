import type { Tree } from '../../ports/content/content-store.ts'
import { ServiceError, zoneNotFound, zoneSuspended } from '../errors.ts'
import { type AssetPath, repositoryPath } from './asset-path.ts'
import { hasZone } from './metadata/sidecar-paths.ts'
import { parseZoneSettings, zoneSettingsPath } from './zone-settings.ts'

/** Refuses a write to a zone that does not exist or is suspended, as of `tree`. */
export async function requireWritableZone(tree: Tree, zone: string): Promise<void> {
  if (!(await hasZone(tree, zone))) throw zoneNotFound(zone)
  const settings = zoneSettingsPath(zone)
  if (!(await tree.find(settings))) return
  if (parseZoneSettings(await tree.read(settings)).suspended) throw zoneSuspended(zone)
}

/** Refuses as {@link requireWritableZone} does, asking of each zone once. */
export function createZoneGuard(tree: Tree): (zone: string) => Promise<void> {
  const checks = new Map<string, Promise<void>>()
  return (zone) => {
    const check = checks.get(zone) ?? requireWritableZone(tree, zone)
    checks.set(zone, check)
    return check
  }
}

/**
 * Refuses a file that a clone on some other system could not hold beside what is stored: one that
 * differs by letter case or Unicode form alone, or that turns a file into a directory or the reverse.
 */
export async function refuseConflicts(tree: Tree, path: AssetPath): Promise<void> {
  const wanted = repositoryPath(path)
  const spelling = await tree.spelling(wanted)
  if (spelling !== wanted) throw pathConflict(path, `is stored as "${spelling}"`)
  const found = await tree.find(wanted)
  if (found?.kind === 'directory') throw pathConflict(path, 'is a directory')
  for (const parent of parentsOf(path)) {
    const entry = await tree.find(repositoryPath(parent))
    if (entry?.kind === 'file')
      throw pathConflict(path, `would need the file "${parent}" to be a directory`)
  }
}

/** Refuses, one after another, files of one request that could not stand beside each other. */
export function createMutualGuard(paths: readonly string[]): (path: string) => void {
  const spellings = new Map<string, string>()
  const files = new Set(paths)
  const fitting = new Set<string>()
  const requireOneSpelling = (part: string, path: string) => {
    const other = spellings.get(fold(part))
    if (other !== undefined && other !== part)
      throw pathConflict(path, `differs from "${other}" by letter case only`)
    spellings.set(fold(part), part)
  }
  return (path) => {
    const directory = path.slice(0, path.lastIndexOf('/'))
    const parents = fitting.has(directory) ? [] : parentsOf(path)
    for (const part of [...parents, path]) requireOneSpelling(part, path)
    for (const parent of parents)
      if (files.has(parent))
        throw pathConflict(path, `would need the file "${parent}" to be a directory`)
    fitting.add(directory)
  }
}

export const pathConflict = (path: string, why: string) =>
  new ServiceError('PathConflict', `path "${path}" ${why}`, { target: 'path' })

/** The directories above, from `<zone>/v1/…` downwards. */
function parentsOf(path: string): readonly AssetPath[] {
  const segments = path.split('/')
  return segments
    .slice(2, -1)
    .map((_, index) => segments.slice(0, index + 3).join('/') as AssetPath)
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()
