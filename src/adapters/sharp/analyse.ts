import type {
  AnalyseJob,
  Face,
  ImageAnalysis,
  RenderSource,
  Size,
} from '../../ports/media/renderer.ts'
import { findSaliency } from './analysis/find-saliency.ts'
import { isBare, isGraphic, measureSteps } from './analysis/is-graphic.ts'
import { likenessOf } from './analysis/likeness.ts'
import { makeMips } from './analysis/make-mips.ts'
import { summaryOf } from './analysis/image-summary.ts'
import { fitWithin, type RawImage, rawImage, smaller } from './analysis/raw-image.ts'
import { type FaceNet, openFaceNet } from './faces/face-net.ts'
import { findFaces } from './faces/find-faces.ts'
import { isScaledWhileDecoded } from './memory-model.ts'
import { openSource } from './open-source.ts'

/** The widest that is decoded to; everything is found on this or less. */
const baseWidth = 1280
const vectorSide = 512
const proxySide = 320
/** Small faces are only found on more pixels. */
const largerProxySide = 416

/** Looks at an image once and tells all that later requests would have to look for. */
export async function analyse({
  source,
  summary,
  mipWidths,
  findFaces: wantsFaces,
}: AnalyseJob): Promise<ImageAnalysis> {
  const base = await decodeBase(source)
  const proxy = await smaller(base, fitWithin(base, proxySide))
  const steps = measureSteps(base)
  const isDrawn = source.format === 'svg' || isGraphic(steps)
  // Nothing is to be found where there is next to nothing.
  const faces = wantsFaces && !isBare(steps) ? await facesOf(base, { proxy, isDrawn }) : []
  return {
    isGraphic: isDrawn,
    ...(summary ?? (await summaryOf(proxy))),
    likeness: likenessOf(proxy),
    faces,
    saliency: await findSaliency(proxy, faces),
    mips: await makeMips(base, {
      sourceWidth: source.size.width,
      widths: mipWidths,
      isGraphic: isDrawn,
    }),
  }
}

async function decodeBase(source: RenderSource): Promise<RawImage> {
  const target = baseSize(source)
  const image = await openSource(source, { isAnimated: false, target })
  const { width, height } = target
  return await rawImage(
    image.toColourspace('srgb').resize({
      width,
      height,
      fit: 'fill',
      // Finer, but a large WebP would be held whole, several times.
      fastShrinkOnLoad: isScaledWhileDecoded(source),
    }),
  )
}

function baseSize({ format, size }: RenderSource): Size {
  if (format === 'svg') {
    const scale = vectorSide / Math.max(size.width, size.height)
    return { width: atLeastOne(size.width * scale), height: atLeastOne(size.height * scale) }
  }
  const scale = Math.min(1, baseWidth / size.width)
  return { width: atLeastOne(size.width * scale), height: atLeastOne(size.height * scale) }
}

const atLeastOne = (length: number): number => Math.max(1, Math.round(length))

interface Proxy {
  readonly proxy: RawImage
  readonly isDrawn: boolean
}

let opening: Promise<FaceNet> | undefined

async function facesOf(base: RawImage, { proxy, isDrawn }: Proxy): Promise<readonly Face[]> {
  const net = await (opening ??= openFaceNet())
  const faces = findFaces(proxy, proxySide, net)
  if (faces.length > 0 || isDrawn) return faces
  const larger = await smaller(base, fitWithin(base, largerProxySide))
  return findFaces(larger, largerProxySide, net)
}
