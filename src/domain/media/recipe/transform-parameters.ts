import { encodingParameters } from './parameters/encoding-parameters.ts'
import { limitParameters } from './parameters/limit-parameters.ts'
import { lookParameters } from './parameters/look-parameters.ts'
import type { TransformParameter } from './parameters/parameter.ts'
import { shapeParameters } from './parameters/shape-parameters.ts'
import { sizeParameters } from './parameters/size-parameters.ts'
import { textParameters } from './parameters/text-parameters.ts'
import { toneParameters } from './parameters/tone-parameters.ts'
import { videoParameters } from './parameters/video-parameters.ts'

/**
 * Every parameter, by the member of a recipe that it becomes, in the order in which they are read and
 * documented.
 */
export const transformParameters = {
  ...sizeParameters,
  ...shapeParameters,
  ...encodingParameters,
  ...videoParameters,
  ...lookParameters,
  ...textParameters,
  ...toneParameters,
  ...limitParameters,
} as const

export const allTransformParameters: readonly TransformParameter[] =
  Object.values(transformParameters)
