import { parseAssetPath, parseDirectoryPath } from '../../../domain/content/asset-path.ts'
import type { ObjectPlace } from '../../../domain/content/objects/object-place.ts'
import { asRefusal } from '../../../domain/errors.ts'
import { S3Error } from '../s3-error.ts'

/** As S3 has it; here the zone counts, too. */
const maxKeyBytes = 1024

/**
 * Where an object of that key is. Keys are never renamed: one that is no path as it stands is refused with
 * `InvalidArgument`, one that is too long with `KeyTooLongError`.
 */
export function placeOfKey(bucket: string, key: string): ObjectPlace {
  const isMarker = key.endsWith('/')
  const wanted = `${bucket}/v1/${isMarker ? key.slice(0, -1) : key}`
  const length = Buffer.byteLength(wanted)
  if (length > maxKeyBytes)
    throw new S3Error('KeyTooLongError', 'Your key is too long', {
      elements: { Size: String(length), MaxSizeAllowed: String(maxKeyBytes) },
    })
  const path = parsed(wanted, { key, isMarker })
  if (path !== wanted)
    throw refused(key, 'must be in Unicode normalisation form C, without empty segments')
  return isMarker
    ? { kind: 'marker', directory: path }
    : { kind: 'asset', path: parseAssetPath(path) }
}

/** The same of what may be there; `undefined` where no object can have such a key. */
export function findablePlace(bucket: string, key: string): ObjectPlace | undefined {
  try {
    return placeOfKey(bucket, key)
  } catch (error) {
    if (error instanceof S3Error) return undefined
    throw error
  }
}

interface Asked {
  readonly key: string
  readonly isMarker: boolean
}

function parsed(path: string, { key, isMarker }: Asked): string {
  try {
    return isMarker ? parseDirectoryPath(path) : parseAssetPath(path)
  } catch (thrown) {
    const refusal = asRefusal(thrown)
    if (refusal === undefined) throw thrown
    throw refused(key, refusal.message.replace(/^path /u, ''), thrown)
  }
}

const refused = (key: string, why: string, cause?: unknown) =>
  new S3Error('InvalidArgument', `key ${why}`, {
    elements: { ArgumentName: 'key', ArgumentValue: key.toWellFormed().slice(0, maxKeyBytes) },
    cause,
  })
