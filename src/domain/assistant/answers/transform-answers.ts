import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import { encodePath } from '../../content/asset-path.ts'
import { parseRecipe } from '../../media/recipe/recipe.ts'
import { assetSource, type Draft, draftOf } from '../knowledge/draft.ts'
import { quoted } from '../question/quoted-text.ts'

/** The URL of an image as it is wanted, or why there can be none. */
export function transformDraft(
  asset: AssetRecord | undefined,
  parameters: ReadonlyMap<string, string>,
): Draft {
  const refusal = refusalOf(parameters)
  const sources = asset ? [assetSource(asset)] : []
  const cited = asset ? ` of ${quoted(asset.path)} [1]` : ''
  if (refusal !== undefined)
    return draftOf({
      text: `That version${cited} cannot be made: ${refusal}.`,
      sources,
      isExact: true,
      followUps: ['Which parameters does a transform take?'],
    })
  if (asset === undefined)
    return draftOf({
      text: 'I do not know which picture you mean. Name it, or give its path.',
      confidence: 'low',
      isExact: true,
    })
  if (!asset.contentType.startsWith('image/'))
    return draftOf({
      text: `${quoted(asset.path)} [1] is no picture (${quoted(asset.contentType)}), so it has no other sizes or formats.`,
      sources,
      isExact: true,
    })
  const query = [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const url = `/api/transform?url=/${encodePath(asset.path)}&${query.join('&')}`
  return draftOf({
    text: `${url}\nmakes that of ${quoted(asset.path)} [1] when it is first asked for.`,
    sources: [
      ...sources,
      { title: `${asset.path}: ${query.join(', ')}`, url, content: url, isOurs: true },
    ],
    actions: [{ kind: 'transform', path: asset.path, parameters }],
    isExact: true,
    followUps: ['The same as avif', 'How do I crop to faces?'],
  })
}

function refusalOf(parameters: ReadonlyMap<string, string>): string | undefined {
  try {
    parseRecipe(new URLSearchParams([...parameters]))
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}
