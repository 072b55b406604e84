import { z } from 'zod'

import type { TransformParameter } from '../src/domain/media/recipe/parameters/parameter.ts'
import { allTransformParameters } from '../src/domain/media/recipe/transform-parameters.ts'
import { sourceNote } from './markdown.ts'

/** `src/client/transform-parameters.ts`: what a form needs of each parameter, without zod. */
export function transformFormParameters(): string {
  const fieldByName = Object.fromEntries(
    allTransformParameters.map((parameter) => [parameter.name, fieldOf(parameter)]),
  )
  return [
    sourceNote,
    `/** Every parameter of a transform by its name, and how a form asks for it. */
export const transformParameters = ${JSON.stringify(fieldByName)} as const`,
  ].join('\n\n')
}

/** As much of JSON Schema as the values of parameters are described by. */
interface Written {
  readonly enum?: readonly string[]
  readonly type: string
  readonly anyOf?: readonly Written[]
  readonly minimum?: number
  readonly maximum?: number
}

function fieldOf({ written, form }: TransformParameter) {
  const { label, unset = '', choices = {} } = form
  const schema = plainest(z.toJSONSchema(written) as Written)
  if (schema.enum !== undefined) {
    const offered = Object.entries(choices).map(([value, text]) => ({ value, label: text }))
    return { kind: 'word', label, options: [{ value: '', label: unset }, ...offered] }
  }
  if (schema.type === 'string' || unset !== '') return { kind: 'text', label, hint: unset }
  return { ...numberField(schema, form), label }
}

/** Of what may be written in several ways, that which a form asks for. */
const plainest = (schema: Written): Written => schema.anyOf?.[0] ?? schema

function numberField(
  { type, minimum: min = 0, maximum: max = 0 }: Written,
  { rest = min - 1, step }: TransformParameter['form'],
) {
  const isFlag = type === 'integer' && min === 0 && max === 1
  const kind = isFlag ? 'flag' : step === undefined && type === 'number' ? 'choice' : 'number'
  return { kind, min, max, step: step ?? 1, rest }
}
