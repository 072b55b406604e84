import { encodingParameters } from './parameters/encoding-parameters.ts'
import { lookParameters } from './parameters/look-parameters.ts'
import type { TransformParameter } from './parameters/parameter.ts'
import { sizeParameters } from './parameters/size-parameters.ts'

/**
 * Every parameter, by the member of a recipe that it becomes, in the order in which they are read and
 * documented.
 */
export const transformParameters = {
  ...sizeParameters,
  ...encodingParameters,
  ...lookParameters,
} as const

export const allTransformParameters: readonly TransformParameter[] =
  Object.values(transformParameters)
