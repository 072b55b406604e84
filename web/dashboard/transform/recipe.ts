import { transformParameters } from '../page-parameters.ts'

export type Recipe = {
  readonly [Name in (typeof transformParameters)[number]]?: string | undefined
}

/** Those of a page's parameters that are of the transform. */
export const recipeOf = (search: Recipe): Recipe =>
  Object.fromEntries(
    transformParameters.flatMap((name) =>
      search[name] === undefined ? [] : [[name, search[name]] as const],
    ),
  )

/** The longest side that the service makes. */
export const maxSide = 8192

/** What is wrong with a side; `undefined` where it can be made. */
export const faultOfSide = (text: string | undefined): string | undefined =>
  text === undefined || (/^\d{1,4}$/u.test(text) && Number(text) >= 1 && Number(text) <= maxSide)
    ? undefined
    : `1 to ${maxSide}`

/** What is wrong with a recipe before anybody is asked to make it. */
export const isSound = ({ w, h }: Recipe): boolean =>
  faultOfSide(w) === undefined && faultOfSide(h) === undefined

export const fits = [
  { value: '', label: 'As it comes' },
  { value: 'cover', label: 'Cover: fill the box, crop' },
  { value: 'contain', label: 'Contain: show all, pad' },
  { value: 'fill', label: 'Fill: stretch' },
  { value: 'inside', label: 'Inside: largest that fits' },
  { value: 'outside', label: 'Outside: smallest that covers' },
] as const

export const gravities = [
  { value: '', label: 'Centre' },
  { value: 'auto', label: 'What draws the eye' },
  { value: 'face', label: 'Faces' },
  { value: 'north', label: 'Top' },
  { value: 'northeast', label: 'Top right' },
  { value: 'east', label: 'Right' },
  { value: 'southeast', label: 'Bottom right' },
  { value: 'south', label: 'Bottom' },
  { value: 'southwest', label: 'Bottom left' },
  { value: 'west', label: 'Left' },
  { value: 'northwest', label: 'Top left' },
] as const

export const formats = ['avif', 'webp', 'jpeg', 'png'] as const

export const formatChoices = [
  { value: '', label: 'Best the browser takes' },
  ...formats.map((value) => ({ value, label: value.toUpperCase() })),
] as const
