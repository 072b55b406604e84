import type { Variant } from '../../ports/media/variant-store.ts'

/** A variant without its bytes. */
export type VariantFile = Omit<Variant, 'bytes' | 'overlaySha256s'> & {
  readonly sizeBytes: number
  /** How the SHA-256 of each image begins that was laid over it: enough to forget it by, rather too often. */
  readonly overlays: readonly string[]
}

const overlayDigits = 6
export const overlayName = (sha256: string): string => sha256.slice(0, overlayDigits)

const extensionByType: Readonly<Record<string, string>> = {
  'image/avif': 'avif',
  'image/webp': 'webp',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'application/octet-stream': 'bin',
}
const typeByExtension = new Map(
  Object.entries(extensionByType).map(([type, extension]) => [extension, type]),
)
const pattern =
  /^(?<key>[0-9a-f]{64})\.(?<source>[0-9a-f]{64})\.(?<digest>[0-9a-f]{32})\.(?<size>\d{1,10})\.(?<notes>[a-z0-9+-]*)(?:\.(?<overlays>[0-9a-f]{6}(?:\+[0-9a-f]{6}){0,2}))?\.(?<extension>[a-z]{3,4})$/u

/** All there is to know of a variant but its bytes, so that a listing of names is the whole index. */
export function variantFileName(file: VariantFile): string {
  const { key, sourceSha256, digest, sizeBytes, notes, overlays, contentType } = file
  const made = [key, sourceSha256, digest, sizeBytes, notes.join('+')]
  const over = overlays.length === 0 ? [] : [overlays.join('+')]
  const name = [...made, ...over, extensionByType[contentType]].join('.')
  if (!pattern.test(name)) throw new Error(`A variant cannot be kept as ${name}`)
  return name
}

export function parseVariantFileName(name: string): VariantFile | undefined {
  const found = pattern.exec(name)?.groups as
    | (Readonly<Record<'key' | 'source' | 'digest' | 'size' | 'notes' | 'extension', string>> & {
        readonly overlays?: string
      })
    | undefined
  const contentType = found && typeByExtension.get(found.extension)
  if (found === undefined || contentType === undefined) return undefined
  return {
    key: found.key,
    sourceSha256: found.source,
    digest: found.digest,
    sizeBytes: Number(found.size),
    notes: found.notes === '' ? [] : found.notes.split('+'),
    overlays: found.overlays?.split('+') ?? [],
    contentType,
  }
}
