import { type TransformMode, transformModes } from '../../../ports/records/zone.ts'
import { ServiceError } from '../../errors.ts'
import { widthLadder } from '../../../lib/width-ladder.ts'

/** What a zone says gives way to what the service says only where that is stricter: nothing opens what is closed. */
export function strictest(one: TransformMode, other: TransformMode = 'open'): TransformMode {
  return transformModes.indexOf(one) > transformModes.indexOf(other) ? one : other
}

export interface FreeParameters {
  readonly mode: TransformMode
  /** The parameters that are the caller's own. */
  readonly free: URLSearchParams
  readonly name: string | undefined
  /** The width of the source, where that has to be known. */
  readonly naturalWidth: () => Promise<number>
}

/**
 * Refuses with `TransformNotAllowed` what the mode does not let everybody ask for. With `named-only` that is
 * what is made anyway: a transform that has a name, and a width of the ladder that pages are offered, each in
 * any format. With `signed` it is nothing.
 */
export async function requireAllowed({
  mode,
  free,
  name,
  naturalWidth,
}: FreeParameters): Promise<void> {
  if (mode === 'open') return
  if (mode === 'signed')
    throw refusal(
      'Images of this zone are made for signed URLs alone: /api/signed with t. parameters',
    )
  const offered = name === undefined ? ['format', 'w'] : ['format']
  const other = [...free.keys()].find((parameter) => !offered.includes(parameter))
  if (other !== undefined) throw closed(other)
  const width = name === undefined ? free.get('w') : null
  if (width !== null && !isOnLadder(width) && width !== String(await naturalWidth()))
    throw closed('w')
}

/** What follows the client is a step of it as well. */
const isOnLadder = (width: string): boolean =>
  width === 'auto' || widthLadder.some((each) => String(each) === width)

const closed = (parameter: string): ServiceError =>
  refusal(
    `${parameter} is not for everybody to choose: images of this zone are made by the names in _transforms (t=…), and in the widths ${widthLadder.join(', ')}`,
    parameter,
  )

const refusal = (message: string, target?: string): ServiceError =>
  new ServiceError('TransformNotAllowed', message, { ...(target !== undefined && { target }) })
