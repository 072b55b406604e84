import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { contentDigest } from '../../../lib/bytes/checksums.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import { type SourceFormat, UnrenderableImageError } from '../../../ports/media/renderer.ts'
import type { StillKind, StillMaker, StillOutcome } from '../../../ports/media/still-maker.ts'
import type { Variant, VariantStore } from '../../../ports/media/variant-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import { sourceMissing } from '../render/render-refusal.ts'
import type { RenderQueue, Work } from '../render/render-queue.ts'
import type { StillFiles } from '../render/sources.ts'
import { cardKeyOf, cardOrigin } from './drawn-cards.ts'
import { maxFileBytesOf, stillCost } from './still-costs.ts'
import { readStillName } from './still-names.ts'

/** `sha256` names the still, as `stillName` does. */
export type StillRecord = Pick<AssetRecord, 'sha256' | 'zone' | 'sizeBytes'>

export interface KeptStill {
  /** A local file. */
  readonly path: string
  readonly format: SourceFormat
  readonly pages: number | undefined
}

/** What stands for files that are no images: made once for all who ask, and kept while there is room. */
export interface Stills extends StillFiles {
  /**
   * Throws `UnprocessableImage` for a file at fault and for a page that is not there,
   * `StillUnavailable` where nothing is installed that reads such files. What has nothing to be seen is
   * refused as `hasNothingToSee` knows it.
   */
  find(file: StillRecord, kind: StillKind, asking: Asking): Promise<KeptStill>
  /** The bytes of one that was found before; `undefined` where it was forgotten. */
  read(file: Pick<StillRecord, 'sha256'>): Promise<Uint8Array | undefined>
  /** What was written on the still's first pages; '' where that is nothing. */
  text(file: StillRecord, kind: StillKind, asking: Asking): Promise<string>
}

type Asking = Pick<Work<never>, 'priority' | 'signal'>

interface Dependencies {
  readonly makers: readonly StillMaker[]
  readonly queue: Pick<RenderQueue, 'make'>
  readonly files: Required<Pick<BlobStore, 'path' | 'open'>>
  readonly store: VariantStore
  /** Of what is erased while a still is made of it nothing is kept. */
  readonly isErased: (sha256: string) => boolean
}

/** Raised when the same files would come out otherwise. */
const stillVersion = 1
const bare = 'application/octet-stream'
const nothing = 'none'

export function createStills(dependencies: Dependencies): Stills {
  const { store, isErased } = dependencies
  const flights = createSingleFlight<KeptStill>()
  const make = createMaking(dependencies)

  async function kept(name: string): Promise<KeptStill | undefined> {
    const key = keyOf('still', name)
    const variant = await store.get(key)
    if (variant?.notes.includes(nothing) === true) throw nothingToSee()
    const path = variant && (await store.path(key))
    return path === undefined ? undefined : { path, ...readKept(variant as Variant) }
  }

  /** Looks once more afterwards: who erased the file meanwhile has not found it. */
  async function keep(made: readonly Variant[]): Promise<void> {
    for (const variant of made) if (!isErased(variant.sourceSha256)) await store.put(variant)
    for (const { sourceSha256 } of made)
      if (isErased(sourceSha256)) await store.removeSource(sourceSha256)
  }

  const find: Stills['find'] = async (file, kind, { priority, signal: leaving }) => {
    const work = async (signal: AbortSignal): Promise<KeptStill> => {
      const before = await kept(file.sha256)
      if (before !== undefined) return before
      await keep(await make(file, kind, { priority, signal }))
      const made = await kept(file.sha256)
      if (made === undefined) throw sourceMissing()
      return made
    }
    // Someone who waits must not share the place in the queue of background work.
    return (await flights.run(`${priority} ${file.sha256}`, leaving, work)).value
  }

  return {
    find,
    read: async ({ sha256 }) => (await store.get(keyOf('still', sha256)))?.bytes,
    async text(file, kind, asking) {
      const key = keyOf('text', file.sha256)
      const before = await store.get(key)
      if (before === undefined) await find(file, kind, asking)
      const { bytes } = before ?? (await store.get(key)) ?? { bytes: new Uint8Array() }
      return new TextDecoder().decode(bytes)
    },
    async path({ sha256, zone, sizeBytes = 0 }, { of }) {
      const isCard = of === cardOrigin.of
      const key = isCard ? cardKeyOf(sha256) : keyOf('still', sha256)
      const before = await store.path(key)
      if (before !== undefined) return before
      if (isCard) throw sourceMissing()
      const asking = { priority: 'interactive' } as const
      return (await find({ sha256, zone, sizeBytes }, of as StillKind, asking)).path
    },
    forget: (name) => store.removeSource(readStillName(name).sha256),
  }
}

function createMaking({ makers, queue, files }: Dependencies) {
  return async (
    { sha256: name, zone, sizeBytes }: StillRecord,
    kind: StillKind,
    asking: Asking,
  ): Promise<readonly Variant[]> => {
    const { sha256, at } = readStillName(name)
    requireSmall(kind, sizeBytes)
    const maker = makers.find(({ kinds }) => kinds.includes(kind))
    if (maker === undefined) throw unavailable(kind)
    const bytes = maker.readsParts === true ? await files.open(sha256) : undefined
    const path = maker.readsParts === true ? bytes && '' : await files.path(sha256)
    if (path === undefined) throw sourceMissing()
    const job = { kind: 'still', path, bytes, of: kind, at } as const
    const { result } = await queue.make({ job, zone, cost: stillCost(kind), ...asking }, maker)
    return variantsOf(name, kind, result)
  }
}

/** What is kept of what came out. */
function variantsOf(name: string, kind: StillKind, result: StillOutcome): readonly Variant[] {
  const { sha256: sourceSha256 } = readStillName(name)
  const variant = (
    what: 'still' | 'text',
    rest: Pick<Variant, 'contentType' | 'bytes' | 'notes'>,
  ) => ({
    key: keyOf(what, name),
    sourceSha256,
    digest: contentDigest(rest.bytes),
    ...rest,
  })
  if (result.outcome === 'absent') throw unavailable(kind, result.install)
  if (result.outcome === 'beyond')
    throw new ServiceError('UnprocessableImage', `The file has ${result.has}`, {
      target: result.target,
    })
  if (result.outcome === 'none')
    return [variant('still', { contentType: bare, bytes: new Uint8Array(), notes: [nothing] })]
  const { bytes, format, pages, text = '' } = result
  const notes = pages === undefined ? [] : [`pages-${pages}`]
  return [
    variant('text', { contentType: bare, bytes: new TextEncoder().encode(text), notes: [] }),
    variant('still', { contentType: `image/${format}`, bytes, notes }),
  ]
}

function readKept({ contentType, notes }: Variant): Omit<KeptStill, 'path'> {
  const pages = notes.find((note) => note.startsWith('pages-'))?.slice('pages-'.length)
  return {
    format: contentType.slice('image/'.length) as SourceFormat,
    pages: pages === undefined ? undefined : Number(pages),
  }
}

const keyOf = (what: 'still' | 'text', name: string): string =>
  new Bun.CryptoHasher('sha256').update(`${what}|${stillVersion}|${name}`).digest('hex')

function requireSmall(kind: StillKind, sizeBytes: number): void {
  const most = maxFileBytesOf(kind)
  if (sizeBytes > most)
    throw new ServiceError(
      'UnprocessableImage',
      `A ${kind} file of which an image is made must have at most ${most / 2 ** 20} MB`,
    )
}

/** Nothing is wrong with its bytes, so nobody looks whether they are its own. */
export const nothingToSee = (): ServiceError =>
  new ServiceError('UnprocessableImage', 'The file has nothing that could be shown', {
    cause: new UnrenderableImageError('unsupported-type', 'has nothing that could be shown'),
  })

const unavailable = (kind: StillKind, install?: string): ServiceError =>
  new ServiceError(
    'StillUnavailable',
    install === undefined
      ? `No image can be made of a ${kind} file here`
      : `No image can be made of a ${kind} file before this is done where the service runs: ${install}`,
    { context: install === undefined ? {} : { Install: install } },
  )
