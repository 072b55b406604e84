import sharp, { type Sharp, type SharpOptions } from 'sharp'

import type { EmbeddedFormat } from '../../ports/media/renderer.ts'
import type { RenderSource, Size } from '../../ports/media/renderer.ts'
import { maxSourcePixels, softTimeoutSeconds } from './limits.ts'
import { readSafeSvg } from './svg/read-svg.ts'

export interface Opening {
  readonly isAnimated: boolean
  /** Which one, from 0, where it is one alone. */
  readonly frame?: number | undefined
  /** Not turned as its EXIF orientation says. */
  readonly isAsStored?: boolean | undefined
  /** The size it will be drawn at; images without pixels are drawn at it straight away. */
  readonly target: Size
}

const loaderByFormat: Readonly<Record<EmbeddedFormat, string>> = {
  jpeg: 'VipsForeignLoadJpeg',
  png: 'VipsForeignLoadPng',
  webp: 'VipsForeignLoadWebp',
  gif: 'VipsForeignLoadNsgif',
  avif: 'VipsForeignLoadHeif',
  svg: 'VipsForeignLoadSvg',
  tiff: 'VipsForeignLoadTiff',
}

/** Lets libvips open this one format and nothing else, whatever a file turns out to be inside. */
export function allowOnly(format: EmbeddedFormat): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: [loaderByFormat[format]] })
}

/** An image ready to be decoded, turned as its EXIF orientation says where nothing else is wanted. Nothing is decoded yet. */
export async function openSource(source: RenderSource, opening: Opening): Promise<Sharp> {
  allowOnly(source.format)
  const image = source.raw
    ? sharp(await readBytes(source.path), { raw: source.raw })
    : source.format === 'svg'
      ? await openSvg(source, opening.target)
      : sharp(source.path, {
          ...rasterOptions,
          autoOrient: opening.isAsStored !== true,
          ...(opening.frame === undefined
            ? { animated: opening.isAnimated }
            : { page: opening.frame, pages: 1 }),
          ignoreIcc: source.isSrgb,
        })
  return image.timeout({ seconds: softTimeoutSeconds })
}

export const rasterOptions: SharpOptions = {
  autoOrient: true,
  failOn: 'warning',
  limitInputPixels: maxSourcePixels,
  sequentialRead: true,
}

const defaultDensity = 72
const maxDensity = 100_000

/** Always from memory: from a path librsvg would load neighbouring files that the image names. */
async function openSvg({ path, size }: RenderSource, target: Size): Promise<Sharp> {
  const scale = Math.max(target.width / size.width, target.height / size.height)
  const density = Math.min(maxDensity, Math.max(1, defaultDensity * scale))
  const svg = readSafeSvg(await readBytes(path))
  return sharp(Buffer.from(svg), { density, limitInputPixels: maxSourcePixels })
}

export const readBytes = async (path: string): Promise<Uint8Array> => await Bun.file(path).bytes()
