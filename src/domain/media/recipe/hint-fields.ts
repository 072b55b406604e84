import type { Recipe } from './recipe.ts'

/** The request fields besides `Accept` that a result depends on. */
export function hintsFor(recipe: Recipe): readonly string[] {
  const { quality, slowQuality, isWidthHinted, isDensityHinted } = recipe
  return [
    ...(quality === undefined || slowQuality !== undefined ? ['Save-Data'] : []),
    ...(slowQuality === undefined ? [] : ['ECT']),
    ...(isWidthHinted ? ['Sec-CH-Width', 'Sec-CH-Viewport-Width'] : []),
    ...(isWidthHinted || isDensityHinted ? ['Sec-CH-DPR'] : []),
  ]
}

/** Asks a client for what a result depends on (RFC 8942 §3; Client Hint Reliability §3). */
export function hintRequests(recipe: Recipe): Readonly<Record<string, string>> {
  const wanted = hintsFor(recipe).filter((name) => name !== 'Save-Data')
  if (wanted.length === 0) return {}
  const critical = wanted.filter((name) => name !== 'ECT')
  return {
    'Accept-CH': wanted.join(', '),
    ...(critical.length > 0 && { 'Critical-CH': critical.join(', ') }),
  }
}
