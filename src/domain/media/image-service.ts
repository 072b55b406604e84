import { rememberRecent } from '../../lib/collections/lru-cache.ts'
import type { BlobBytes, BlobStore } from '../../ports/content/blob-store.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { entityTagOf } from '../content/delivered/published-bytes.ts'
import { NewVariantsUsedUp, type Payer } from '../access/quotas/encode-quota.ts'
import { invalid, ServiceError } from '../errors.ts'
import { parseAccept } from './recipe/accepted-formats.ts'
import {
  createImageVariants,
  type ImageVariantDependencies,
  type ImageVariants,
} from './image-variants.ts'
import type { TransformMode } from '../../ports/records/zone.ts'
import type { ResolvedTransform } from './named/named-transforms.ts'
import { requireAllowed } from './named/transform-modes.ts'
import type { ClientHints } from './recipe/client-hints.ts'
import { hintRequests, hintsFor } from './recipe/hint-fields.ts'
import { requireWantedBytes } from './recipe/plan/source-limits.ts'
import { isKeptAsItIs } from './recipe/kept-as-it-is.ts'
import { parseRecipe, type Recipe } from './recipe/recipe.ts'
import { storedInstead } from './render/stored-instead.ts'
import { posterOf } from './stills/poster.ts'
import { sourceMissing } from './render/render-refusal.ts'
import { chooseAuto, findStoredFormats, findStoredStill } from './render/stored-formats.ts'
import type { TransformOptions } from './recipe/plan/output-plan.ts'
import type { ServedVariant } from './render/variants.ts'

export interface Preferences {
  /** The `Accept` field. */
  readonly accept: string | null
  /** Whether the client sent `Save-Data: on`. */
  readonly savesData: boolean
  /** What it says of where the image will be seen. */
  readonly hints?: ClientHints
  /** Aborts when nobody waits for the response any more. */
  readonly signal?: AbortSignal
  /** Who is charged for what has to be made. */
  readonly payer?: Payer
}

export interface TransformRequest extends Preferences {
  readonly asset: AssetRecord
  /** Parameters alone, with those of a name in its place. */
  readonly query: URLSearchParams
  /** What of them the caller chose; where left out all of them, and by no name. */
  readonly chosen?: Pick<ResolvedTransform, 'name' | 'free'> | undefined
  /** Whether somebody stands for what is asked for: a signature, a credential, or the service itself. */
  readonly isVouched?: boolean | undefined
  /** Where what is stored beside it is found; what is published where left out. */
  readonly assets?: Pick<Manifest, 'asset'> | undefined
  /** Whether what has nothing to be seen is refused, in the place of a card that says what it is. */
  readonly refusesCards?: boolean | undefined
  /** Finds an image to lay over it, as the caller named it; throws where they may not have it. */
  readonly overlay?: ((named: string) => AssetRecord) | undefined
}

export interface AutoRequest extends Preferences {
  /** An asset path without its extension. */
  readonly path: string
  readonly query: URLSearchParams
  /** What holds for images of the zone where nothing else is said. */
  readonly defaults?: URLSearchParams | undefined
  /** Where it is found; among what is published where left out. */
  readonly assets?: Pick<Manifest, 'asset'> | undefined
}

export interface ImageResponse {
  /** What it was made from, or is. */
  readonly source: AssetRecord
  /** What else is in it. */
  readonly overlays?: readonly AssetRecord[]
  readonly body: Uint8Array | BlobBytes
  readonly sizeBytes: number
  readonly contentType: string
  /** Strong, with its quotes. */
  readonly etag: string
  /** What the response depends on besides the URL. */
  readonly vary: readonly string[]
  /** Whether nobody else may have it from a cache: it was made because somebody stands for it. */
  readonly isForCaller?: boolean
  /** Whether it stands for a variant that is not made, since its zone has used up what it may. */
  readonly isDegraded?: boolean
  /** RFC 9211, for the plane to spell. */
  readonly cacheStatus: ImageCacheStatus
  /** Further fields. */
  readonly headers: Readonly<Record<string, string>>
}

export type ImageCacheStatus =
  | { readonly hit: true; readonly detail: 'memory' | 'store' | 'source' }
  | { readonly fwd: 'miss'; readonly stored: true; readonly collapsed: boolean }

export interface ImageService {
  /**
   * Refuses with `InvalidParameter` (naming the parameter), `TransformNotAllowed`, `UnprocessableImage`, `limit_reached`,
   * `Unavailable` where too many wait, and with the signal's reason.
   */
  transform(request: TransformRequest): Promise<ImageResponse>
  /** The best that is stored for this client, or else encoded for it; `AssetNotFound` without either. */
  auto(request: AutoRequest): Promise<ImageResponse>
}

type Asking = Pick<TransformRequest, 'signal' | 'payer' | 'refusesCards'> & {
  readonly overlays?: readonly AssetRecord[]
}

interface Dependencies extends ImageVariantDependencies {
  readonly manifest: Pick<Manifest, 'asset'>
  readonly blobs: Pick<BlobStore, 'open'>
  /** What everybody may have made of the images of a zone. */
  readonly modeOf: (zone: string) => TransformMode
}

/** What a client without an `Accept` field takes. */
const anything = '*/*'
/** Browsers send few different fields; longer lists than these come from elsewhere. */
const maxAccepts = 256

export function createImageService(dependencies: Dependencies): ImageService {
  const { manifest, blobs, media, modeOf } = dependencies
  const storedImage = createStoredImages(blobs)
  const render = createRendering(createImageVariants(dependencies), storedImage)
  const readAccept = rememberRecent(parseAccept, maxAccepts)

  async function admit({ asset, query, chosen, isVouched, signal }: TransformRequest) {
    if (isVouched === true) return
    await requireAllowed({
      ...(chosen ?? { name: undefined, free: query }),
      mode: modeOf(asset.zone),
      naturalWidth: async () => (await media.find(asset, signal)).header.width,
    })
  }

  /** Where the zone is not open, what was not refused to one may be refused to the next. */
  const isForCaller = ({ asset, isVouched }: TransformRequest): boolean =>
    isVouched === true && modeOf(asset.zone) !== 'open'

  async function transformed(request: TransformRequest): Promise<ImageResponse> {
    const { asset, query, accept, savesData, hints = {}, assets = manifest, overlay } = request
    const recipe = parseRecipe(query, hints)
    await admit(request)
    const stored = storedInstead(asset, recipe, assets)
    if (stored !== undefined) return { ...(await storedImage(stored)), vary: [] }
    requireWantedBytes(recipe, asset.sizeBytes)
    const { isSlow = false } = hints
    const options = { recipe, accepted: readAccept(accept ?? anything), savesData, isSlow }
    if (await isKeptAsItIs(recipe, () => media.find(asset, request.signal)))
      return { ...(await storedImage(asset)), vary: [] }
    const overlays = recipe.overlays.map(({ path: named }) => (overlay ?? noOverlay)(named))
    const poster = posterFor(asset, recipe, assets)
    const making = render(poster ?? asset, options, { ...request, overlays })
    return standingFor(asset, poster, await making)
  }

  return {
    async transform(request) {
      return { ...(await transformed(request)), isForCaller: isForCaller(request) }
    },
    async auto({ path, query, defaults, accept, savesData, assets = manifest, ...asking }) {
      const isAnimated = parseAnimated(query)
      const accepted = readAccept(accept ?? anything)
      const stored = findStoredFormats(assets, path)
      const still = findStoredStill(assets, path)
      const choice = chooseAuto(stored, { accepted, prefersMoving: isAnimated, still })
      if (choice === undefined) throw notFound(path)
      if (choice.kind === 'stored') return await storedImage(choice.asset)
      const recipe = { ...parseRecipe(defaults ?? new URLSearchParams()), isAnimated }
      const options = { recipe, accepted, savesData, chosenFormat: choice.format }
      return await render(choice.source, options, asking)
    },
  }
}

type StoredImages = (asset: AssetRecord) => Promise<ImageResponse>

const createStoredImages =
  (blobs: Dependencies['blobs']): StoredImages =>
  async (asset) => {
    const blob = await blobs.open(asset.sha256)
    if (blob === undefined) throw sourceMissing()
    return asItIs(asset, blob)
  }

/** Where no new variant is to be had, what is stored stands for it. */
const createRendering =
  (variants: ImageVariants, storedImage: StoredImages) =>
  async (asset: AssetRecord, options: TransformOptions, asking: Asking): Promise<ImageResponse> => {
    try {
      const served = await variants.get(asset, options, asking)
      return { source: asset, overlays: asking.overlays ?? [], ...responseOf(served, options) }
    } catch (error) {
      // What is no image cannot stand for one.
      if (!(error instanceof NewVariantsUsedUp) || !isImage(asset)) throw error
      return degraded(await storedImage(asset), options)
    }
  }

const isImage = ({ contentType }: AssetRecord): boolean => contentType.startsWith('image/')

/** In the place of a variant, for as long as none is made: other clients may have theirs, and so may this one soon. */
const degraded = (stored: ImageResponse, { recipe }: TransformOptions): ImageResponse => ({
  ...stored,
  isDegraded: true,
  vary: ['Accept', ...hintsFor(recipe)],
  headers: { 'Image-Notes': 'degraded', ...hintRequests(recipe) },
})

const asItIs = (asset: AssetRecord, body: BlobBytes): ImageResponse => ({
  source: asset,
  body,
  sizeBytes: asset.sizeBytes,
  contentType: asset.contentType,
  etag: entityTagOf(asset.sha256),
  vary: ['Accept'],
  cacheStatus: { hit: true, detail: 'source' },
  headers: {},
})

/** What a video is seen as where no moment of it is asked for. */
const posterFor = (
  asset: AssetRecord,
  { seconds, preview }: Recipe,
  assets: Pick<Manifest, 'asset'>,
): AssetRecord | undefined =>
  seconds === undefined && preview === undefined ? posterOf(asset, assets) : undefined

const standingFor = (
  source: AssetRecord,
  poster: AssetRecord | undefined,
  made: ImageResponse,
): ImageResponse =>
  poster === undefined ? made : { ...made, source, overlays: [poster, ...(made.overlays ?? [])] }

const noOverlay = (): never => {
  throw invalid('overlay', 'is not possible here')
}

function parseAnimated(query: URLSearchParams): boolean {
  const text = query.get('anim') ?? '0'
  if (text !== '0' && text !== '1') throw invalid('anim', 'must be 0 or 1')
  return text === '1'
}

function responseOf(
  served: ServedVariant,
  { recipe }: TransformOptions,
): Omit<ImageResponse, 'source'> {
  const { variant, from, isShared } = served
  return {
    body: variant.bytes,
    sizeBytes: variant.bytes.length,
    contentType: variant.contentType,
    etag: `"${variant.digest}"`,
    vary: ['Accept', ...hintsFor(recipe)],
    cacheStatus:
      from === 'renderer'
        ? { fwd: 'miss', stored: true, collapsed: isShared }
        : { hit: true, detail: from },
    headers: {
      ...(variant.notes.length > 0 && { 'Image-Notes': variant.notes.join(', ') }),
      ...hintRequests(recipe),
    },
  }
}

const notFound = (path: string) =>
  new ServiceError('AssetNotFound', `There is no image ${path}`, { target: 'path' })
