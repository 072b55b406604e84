import { visibleText } from '../../../lib/text/visible-text.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ImageHeader } from '../../../ports/media/renderer.ts'
import {
  type TextReader,
  TextReaderUnavailableError,
  UnreadableImageError,
} from '../../../ports/media/text-reader.ts'
import { ServiceError } from '../../errors.ts'
import { analyseCost } from '../render/costs/cost-model.ts'
import type { Looking } from './follow-files.ts'
import type { KnownMedia } from './known-media.ts'
import type { Stills } from '../stills/stills.ts'
import type { RenderQueue, Work } from '../render/render-queue.ts'
import { requireRenderable, type Sources, sourcePath, withSoundSource } from '../render/sources.ts'
import { shapeOf } from '../recipe/plan/job-of-plan.ts'

/** What is written in images: what SVGs say of themselves, what is read in titles and banners, and the first pages of PDFs. */
export interface ImageTexts extends Looking {
  /** Tells the path of each image of which a text has become known. */
  subscribe(listener: (path: string) => void): Disposable
}

interface Dependencies extends Sources {
  readonly media: Pick<KnownMedia, 'find' | 'known' | 'setText'>
  readonly queue: RenderQueue
  /** Left out where only drawings are to be read. */
  readonly reader?: TextReader | undefined
  readonly stills?: Stills | undefined
}

const maxTextLength = 500
const maxPagesLength = 4000
const background = 'background' satisfies Work<never>['priority']
const bitmapFormats: ReadonlySet<string> = new Set('jpg jpeg png webp gif avif'.split(' '))
/** Of these the words come with the still. */
const writtenFormats: ReadonlySet<string> = new Set(['pdf', 'ai'])
/** Images in these categories are mostly writing; reading others would find little for the time it takes. */
const writtenCategories: ReadonlySet<string> = new Set(
  'banner banners card cards cover covers github header headers hero heroes og poster posters slide slides social title titles'.split(
    ' ',
  ),
)

export function createImageTexts(dependencies: Dependencies): ImageTexts {
  const { media, queue, reader, stills } = dependencies
  const listeners = new Set<(path: string) => void>()
  let readsBitmaps = reader !== undefined

  const isReadable = (asset: AssetRecord): boolean =>
    asset.format === 'svg' ||
    (stills !== undefined && writtenFormats.has(asset.format)) ||
    (readsBitmaps && isWritten(asset))

  /** Decoded here first: what reads gets pixels, whatever the file is. */
  async function textOfBitmap(
    asset: AssetRecord,
    header: ImageHeader,
    signal: AbortSignal,
  ): Promise<string> {
    const path = await sourcePath(dependencies, asset, header.still)
    const source = { path, size: header, ...shapeOf(header) }
    const job = { kind: 'legible', source } as const
    const cost = { ...analyseCost(header), kind: `legible-${header.format}` }
    const { result } = await queue.run({
      job,
      cost,
      zone: asset.zone,
      priority: background,
      signal,
    })
    return (await reader?.read(result)) ?? ''
  }

  async function textOf(asset: AssetRecord, signal: AbortSignal): Promise<string> {
    const { header } = await media.find(asset, signal, background)
    if (stills !== undefined && header.still?.of === 'pdf')
      return await stills.text(asset, 'pdf', { priority: background, signal })
    const read = () =>
      header.format === 'svg'
        ? textOfDrawing(dependencies, asset, signal)
        : textOfBitmap(asset, header, signal)
    return await withSoundSource(dependencies, asset.sha256, read).catch(refused)
  }

  /** An image that cannot be read has no text, and is not tried again. */
  function refused(error: unknown): string {
    if (error instanceof UnreadableImageError) return ''
    if (error instanceof ServiceError && error.code === 'UnprocessableImage') return ''
    if (error instanceof TextReaderUnavailableError) readsBitmaps = false
    throw error
  }

  return {
    isOverlooked: async (asset) =>
      isReadable(asset) && (await media.known(asset.sha256))?.text === undefined,
    async look(asset, signal) {
      if (!isReadable(asset)) return
      const known = (await media.known(asset.sha256))?.text
      const text = known ?? cleaned(await textOf(asset, signal), asset)
      if (known === undefined) await media.setText(asset.sha256, text)
      if (text !== '') for (const listener of listeners) listener(asset.path)
    },
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
  }
}

async function textOfDrawing(
  dependencies: Dependencies,
  asset: AssetRecord,
  signal: AbortSignal,
): Promise<string> {
  requireRenderable(asset)
  const job = { kind: 'read', path: await sourcePath(dependencies, asset) } as const
  const cost = { kind: 'read', cpuMs: 5 }
  return (
    await dependencies.queue.run({ job, cost, zone: asset.zone, priority: background, signal })
  ).result
}

const isWritten = ({ format, category }: AssetRecord): boolean =>
  bitmapFormats.has(format) && writtenCategories.has(category)

/** It was written by others: words to find an image by, and never more. */
function cleaned(text: string, { format }: AssetRecord): string {
  const most = writtenFormats.has(format) ? maxPagesLength : maxTextLength
  return visibleText(visibleText(text, most).replace(/[<>&"'`\\{}]+/gu, ' '), most)
}
