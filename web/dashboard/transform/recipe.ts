import { transformParameters } from '../../../src/client/transform-parameters.ts'
import { t } from '../language/text.ts'
import { type ParameterName, parameterNames } from '../page-parameters.ts'

/** As the URL of the page keeps it. */
export type Recipe = { readonly [Name in ParameterName]?: string | undefined }

export const recipeOf = (search: Readonly<Record<string, string | undefined>>): Recipe =>
  Object.fromEntries(
    parameterNames.flatMap((name) =>
      search[name] === undefined ? [] : [[name, search[name]] as const],
    ),
  )

const { min: minSide, max } = transformParameters.w

/** The longest side that the service makes. */
export const maxSide = max

/** What is wrong with a side; `undefined` where it can be made. */
export const faultOfSide = (text: string | undefined): string | undefined =>
  text === undefined ||
  (/^\d{1,9}$/u.test(text) && Number(text) >= minSide && Number(text) <= maxSide)
    ? undefined
    : t('{minSide} to {maxSide}', { minSide, maxSide })

/** What is wrong with a recipe before anybody is asked to make it. */
export const isSound = ({ w, h }: Recipe): boolean =>
  faultOfSide(w) === undefined && faultOfSide(h) === undefined

/** The formats that are worth comparing: those that the form offers. */
export const formats = transformParameters.format.options
  .map(({ value }) => value)
  .filter((value) => value !== '')
