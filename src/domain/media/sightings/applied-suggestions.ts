import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { Actor } from '../../access/actor.ts'
import { parseAssetPath } from '../../content/asset-path.ts'
import type { Descriptions } from '../../content/metadata/descriptions.ts'
import { ServiceError } from '../../errors.ts'
import type { Suggestions } from './suggestions.ts'

/** Says what a model saw where nobody says anything, for zones that want it so (`Vision: apply`). */
export type ApplySuggestions = (asset: AssetRecord) => Promise<void>

interface Dependencies {
  readonly suggestions: Pick<Suggestions, 'open' | 'dismiss'>
  readonly descriptions: Pick<Descriptions, 'describe'>
  readonly zone: (name: string) => ZoneRecord | undefined
  readonly newId: () => string
}

/** Once for the bytes of a path: what a person takes away afterwards stays away. */
export const createAppliedSuggestions =
  ({ suggestions, descriptions, zone, newId }: Dependencies): ApplySuggestions =>
  async (asset) => {
    if (zone(asset.zone)?.vision !== 'apply') return
    const { alt, tags, sources } = await suggestions.open(asset)
    const patch = {
      ...(sources.alt === 'vision' && { alt }),
      ...(sources.tags === 'vision' && { tags }),
    }
    if (Object.keys(patch).length === 0) return
    const description = {
      path: parseAssetPath(asset.path),
      edit: { kind: 'set', patch },
      field: 'path',
    } as const
    await descriptions
      .describe({ descriptions: [description] }, actorNamed(newId()))
      .catch(ignoreRefusal)
    await suggestions.dismiss(asset, ['alt', 'tags'])
  }

/** A zone that is suspended, an asset that is gone: nobody waits for it. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code === 'Unavailable') throw error
}

const actorNamed = (requestId: string): Actor => ({
  credentialId: 'vision',
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId,
})
