import {
  RenderDeadlineError,
  RendererUnavailableError,
  RenderSourceError,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'
import { ServiceError } from '../../errors.ts'

export const sourceMissing = (cause?: unknown): ServiceError =>
  new ServiceError('Unavailable', 'The image is not at hand now; try again in a few seconds', {
    cause,
  })

/** Throws what a renderer has thrown in terms of the service; for `catch` of its promises. */
export function renderRefusal(error: unknown): never {
  if (error instanceof UnrenderableImageError)
    throw new ServiceError('UnprocessableImage', `The image ${error.message}`, { cause: error })
  if (error instanceof RenderSourceError) throw sourceMissing(error)
  if (error instanceof RenderDeadlineError)
    throw new ServiceError(
      'Unavailable',
      'The image was not made in time; try again in a few seconds',
      {
        cause: error,
      },
    )
  if (error instanceof RendererUnavailableError)
    throw new ServiceError('Unavailable', 'Pictures cannot be made now; try again later', {
      cause: error,
    })
  throw error
}
