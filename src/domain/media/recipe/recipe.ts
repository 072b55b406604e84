import { z } from 'zod'

import { invalid, type ServiceError } from '../../errors.ts'
import { maxSide, type TransformParameter, transformParameters } from './transform-parameters.ts'

type Parameters = typeof transformParameters
type Schemas = { readonly [Member in keyof Parameters]: Parameters[Member]['schema'] }

const members = Object.entries<TransformParameter>(transformParameters)

const recipeSchema = z
  .object(Object.fromEntries(members.map(([member, { schema }]) => [member, schema])) as Schemas)
  .transform(({ dpr, format, ...rest }, context) => {
    const devicePixels = (name: 'w' | 'h', length: number | undefined): number | undefined => {
      const pixels = length === undefined ? undefined : Math.round(length * dpr)
      if (pixels !== undefined && pixels > maxSide)
        context.addIssue({
          code: 'custom',
          path: ['dpr'],
          message: `must leave ${name} × dpr at most ${maxSide}`,
        })
      return pixels
    }
    return {
      ...rest,
      format: format === 'jpg' ? 'jpeg' : format,
      width: devicePixels('w', rest.width),
      height: devicePixels('h', rest.height),
    } as const
  })

/** What a caller asks for, checked, every default filled in. Lengths are in device pixels. */
export type Recipe = Readonly<z.output<typeof recipeSchema>>

const memberByName = new Map(members.map(([member, { name }]) => [name, member]))

/** Reads the parameters of a transform. What is none of them is ignored; what is wrong is refused. */
export function parseRecipe(query: URLSearchParams): Recipe {
  const textByMember: Record<string, string> = {}
  for (const [name, text] of query) {
    const member = memberByName.get(name)
    if (member === undefined) continue
    if (member in textByMember) throw invalid(name, 'must be given at most once')
    textByMember[member] = text
  }
  const { success, data, error } = recipeSchema.safeParse(textByMember)
  if (!success) throw refusalOf(error)
  return data
}

/** The first fault, in the caller's own spelling. */
function refusalOf({ issues: [first] }: z.ZodError): ServiceError {
  const [, parameter] = members.find(([member]) => member === first?.path[0]) ?? []
  if (first === undefined || parameter === undefined)
    throw new Error('What is refused is no parameter')
  const { name, range } = parameter
  return invalid(name, first.code === 'custom' ? first.message : `must be ${range}`)
}
