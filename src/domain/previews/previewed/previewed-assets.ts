import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import type { Actor } from '../../access/actor.ts'
import type { Previews } from '../previews.ts'
import type { Promotions } from '../promotions.ts'

/** What a promotion of a preview would do to an asset. */
export interface PreviewedChange {
  readonly zone: string
  /** Of the preview. */
  readonly name: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** Which of many assets are otherwise in previews that are open. */
export interface PreviewedAssets {
  /** By path, only of paths that are; the preview that changed last comes first. Refuses zones that are not there. */
  among(
    paths: readonly string[],
    actor: Actor,
  ): Promise<ReadonlyMap<string, readonly PreviewedChange[]>>
}

interface Dependencies {
  readonly previews: Pick<Previews, 'list'>
  readonly promotions: Pick<Promotions, 'plan'>
}

/** So many previews are looked into for one question, those that changed last. */
const maxPreviewsAsked = 100
const plansUnderWay = 4

export function createPreviewedAssets({ previews, promotions }: Dependencies): PreviewedAssets {
  /** Those that somebody wrote to. */
  function openPreviews(paths: readonly string[], actor: Actor): readonly PreviewRecord[] {
    const zones = new Set(paths.map((path) => path.slice(0, Math.max(0, path.indexOf('/')))))
    return [...zones]
      .flatMap((zone) => previews.list(zone, actor))
      .filter(({ baseCommitId, headCommitId }) => baseCommitId !== headCommitId)
      .toSorted((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
      .slice(0, maxPreviewsAsked)
  }

  return {
    async among(paths, actor) {
      const asked = new Set(paths)
      const changes = await mapConcurrently(
        openPreviews(paths, actor),
        plansUnderWay,
        async (preview) => {
          const plan = await promotions.plan(preview)
          return (['added', 'changed', 'removed'] as const).flatMap((change) =>
            plan[change]
              .filter((path) => asked.has(path))
              .map((path) => ({ path, zone: preview.zone, name: preview.name, change })),
          )
        },
      )
      const byPath = Map.groupBy(changes.flat(), ({ path }) => path)
      return new Map(
        byPath
          .entries()
          .map(([path, each]) => [path, each.map(({ path: _path, ...rest }) => rest)]),
      )
    },
  }
}
