import { invalid } from '../../errors.ts'
import { type RecipeDraft, recipeParameters } from './recipe-parameters.ts'
import { type Fit, type Gravity, maxSide, type WantedFormat } from './recipe-values.ts'

/** What a caller asks for, checked, every default filled in. Lengths are in device pixels. */
export interface Recipe {
  readonly width: number | undefined
  readonly height: number | undefined
  readonly fit: Fit
  /** Whether the caller named a fit: only then may one given side enlarge a picture. */
  readonly isFitGiven: boolean
  readonly gravity: Gravity
  readonly format: WantedFormat
  /** Whether the caller named the format: then there is no other in its place. */
  readonly isFormatNamed: boolean
  /** `undefined` leaves it to the default, and to what the client says about saving data. */
  readonly quality: number | undefined
  readonly blur: number | undefined
  readonly sharpen: number | undefined
  readonly isAnimated: boolean
}

/** Reads the parameters of a transform. What is none of them is ignored; what is wrong is refused. */
export function parseRecipe(query: URLSearchParams): Recipe {
  let draft: RecipeDraft = { dpr: 1 }
  for (const parameter of recipeParameters) {
    const [text, ...more] = query.getAll(parameter.name)
    if (text === undefined) continue
    if (more.length > 0) throw invalid(parameter.name, 'must be given at most once')
    draft = parameter.apply(draft, text)
  }
  return {
    width: devicePixels('w', draft.width, draft.dpr),
    height: devicePixels('h', draft.height, draft.dpr),
    fit: draft.fit ?? 'cover',
    isFitGiven: draft.fit !== undefined,
    gravity: draft.gravity ?? 'center',
    format: draft.format ?? 'auto',
    isFormatNamed: draft.format !== undefined && draft.format !== 'auto',
    quality: draft.quality,
    blur: draft.blur,
    sharpen: draft.sharpen,
    isAnimated: draft.isAnimated ?? true,
  }
}

function devicePixels(name: 'w' | 'h', length: number | undefined, ratio: number) {
  if (length === undefined) return undefined
  const pixels = Math.round(length * ratio)
  if (pixels > maxSide) throw invalid('dpr', `must leave ${name} × dpr at most ${maxSide}`)
  return pixels
}
