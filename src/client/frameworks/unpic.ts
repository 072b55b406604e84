import { widthLadder } from '../../lib/width-ladder.ts'
import { imageUrl, type Service } from './image-url.ts'

/** How Unpic asks for an image. */
export interface ImageOperations {
  width?: number | string
  height?: number | string
  quality?: number | string
  format?: string
  fit?: string
}

/** For `breakpoints` of its components, so that they ask for the steps of the ladder. */
export const breakpoints = widthLadder.filter((width) => width >= 160)

const numberOf = (value: number | string | undefined): number | undefined =>
  value === undefined || Number.isNaN(Number(value)) ? undefined : Number(value)

/** The `transformer` of Unpic's components (`@unpic/react/base` and the others). */
export const createTransformer =
  (service: Service) =>
  (src: string | URL, { width, height, quality, format, fit }: ImageOperations): string =>
    imageUrl(
      String(src),
      {
        width: numberOf(width),
        height: numberOf(height),
        quality: numberOf(quality),
        format,
        fit,
      },
      service,
    )
