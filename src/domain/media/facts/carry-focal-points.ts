import type { Log } from '../../../lib/log.ts'
import type { FormerFocalPoints } from '../../../ports/media/former-focal-points.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { Actor } from '../../access/actor.ts'
import { parseAssetPath } from '../../content/asset-path.ts'
import type { Committer } from '../../content/committer.ts'
import { type Description, planDescriptions } from '../../content/metadata/descriptions.ts'

interface Dependencies {
  readonly former: FormerFocalPoints
  /** Everything that is published. */
  readonly all: () => Iterable<AssetRecord>
  readonly published: Pick<Manifest, 'asset'>
  readonly publisher: Committer
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** The service itself: nobody asked for it. */
const actor: Actor = {
  credentialId: 'sedge',
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId: 'carry-focal-points',
}

/**
 * Gives every asset the focal point that was kept for its bytes, once and in one commit. An asset that has
 * one of its own keeps it. Where that fails it is tried again at the next start; nothing waits for it.
 */
export async function carryFocalPoints(dependencies: Dependencies): Promise<void> {
  const { former, log } = dependencies
  try {
    const waiting = await former.waiting()
    if (waiting.length === 0) return
    const pointBySha256 = new Map(waiting.map(({ sha256, point }) => [sha256, point]))
    const descriptions: Description[] = []
    for (const { path, sha256, metadata } of dependencies.all()) {
      const point = pointBySha256.get(sha256)
      if (point === undefined || metadata?.focalPoint !== undefined) continue
      const edit = { kind: 'set', patch: { focalPoint: point } } as const
      descriptions.push({ path: parseAssetPath(path), edit, field: path })
    }
    await commit(descriptions, dependencies)
    await former.markCarried()
    log.info('focal points were given to their assets', { assets: descriptions.length })
  } catch (error) {
    log.warn('focal points could not be given to their assets yet', { error })
  }
}

async function commit(
  descriptions: readonly Description[],
  { publisher, published }: Dependencies,
): Promise<void> {
  if (descriptions.length === 0) return
  await publisher.commit(
    {
      action: 'asset.focal-point',
      target: 'all',
      subject: `Give ${descriptions.length} assets the focal points of their bytes`,
      actor,
      meta: { assets: descriptions.length },
    },
    async (tree) => (await planDescriptions(tree, descriptions, published)).changes,
  )
}
