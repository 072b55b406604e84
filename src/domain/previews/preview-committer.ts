import type { Change, Tree } from '../../ports/content/content-store.ts'
import { type ContentLines, NoSuchLineError } from '../../ports/previews/content-lines.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewKey } from '../../ports/records/preview.ts'
import { requireUnsuspended } from '../access/suspended-zones.ts'
import type { Committer } from '../content/committer.ts'
import { ownDirectoryOf } from '../content/metadata/sidecar-paths.ts'
import { parseZoneSettings, zoneDirectory, zoneSettingsPath } from '../content/zone-settings.ts'
import { invalid } from '../errors.ts'
import { createCommitting } from '../publishing/committing.ts'
import type { ZoneRoom } from '../publishing/room/zone-room.ts'
import { previewNotFound } from './preview-access.ts'
import { lineOf } from './preview-lines.ts'

export interface PreviewCommitterDependencies {
  readonly lines: Pick<ContentLines, 'at'>
  readonly published: Pick<Manifest, 'zone' | 'isErased'>
  /** Of the preview: what it has is not live, and is bounded as if it were. */
  readonly room?: ZoneRoom | undefined
  readonly now: () => Date
}

/**
 * Changes what a preview has. Whether its zone takes writes is what is so now, and not when the preview was
 * made; and it is of its zone alone.
 */
export function createPreviewCommitter(
  preview: PreviewKey,
  { lines, published, room, now }: PreviewCommitterDependencies,
  mergedId?: string,
): Committer {
  const { zone, name } = preview
  const line = lines.at(lineOf(preview))
  const committing = createCommitting({
    content: {
      commit: (request, plan) =>
        line.commit(request, plan).catch((cause: unknown) => {
          throw cause instanceof NoSuchLineError ? previewNotFound(zone, name) : cause
        }),
    },
    erased: published,
    mergedId,
    meta: { preview: name },
    room,
    now,
  })
  return {
    commit: (change, plan) =>
      committing.commit(change, async (tree: Tree) => {
        requireUnsuspended([zone], published)
        const changes = await plan(await asUnsuspended(tree, zone))
        requireOfZone(changes ?? [], zone)
        return changes
      }),
  }
}

/** Of a moment at which its zone was suspended, a preview has settings that say so still. */
async function asUnsuspended(tree: Tree, zone: string): Promise<Tree> {
  const settings = zoneSettingsPath(zone)
  if (!parseZoneSettings(await tree.read(settings)).suspended) return tree
  return {
    find: async (path) => (path === settings ? undefined : await tree.find(path)),
    children: (directory) => tree.children(directory),
    filesBelow: (directory) => tree.filesBelow(directory),
    spelling: (path) => tree.spelling(path),
    read: (path) => tree.read(path),
  }
}

function requireOfZone(changes: readonly Change[], zone: string): void {
  const directories = [`${zoneDirectory(zone)}/v1`, `${ownDirectoryOf(zone)}/assets`]
  const isOf = (path: string) => directories.some((each) => path.startsWith(`${each}/`))
  const other = changes.find(({ path }) => !isOf(path))
  if (other !== undefined)
    throw invalid('preview', `is of zone "${zone}" and cannot change ${JSON.stringify(other.path)}`)
}
