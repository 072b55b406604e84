import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import { parseRecipe, type Recipe } from './recipe.ts'

/**
 * Whether an image is best left alone: nothing is to be done to its pixels, all that it says is to be
 * kept, and it has something that would be lost with its bytes (a gain map, another transfer function,
 * credentials).
 */
export async function isKeptAsItIs(
  recipe: Recipe,
  findFacts: () => Promise<Pick<MediaFacts, 'header'>>,
): Promise<boolean> {
  const { format, metadata } = recipe
  if (metadata !== 'all' || format === undefined) return false
  const untouched = parseRecipe(new URLSearchParams({ format, metadata }))
  if (JSON.stringify(recipe) !== JSON.stringify(untouched)) return false
  const { header } = await findFacts()
  const { hdr = null, hasCredentials = false } = header.carried ?? {}
  // Of a still the file is of another format.
  return header.still === undefined && header.format === format && (hdr !== null || hasCredentials)
}
