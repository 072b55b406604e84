import { objectHeaders as objectFields } from '../../../ports/records/asset-metadata.ts'
import { objectLimits, objectMetadataOf } from '../../../domain/content/metadata/object-metadata.ts'
import type { ObjectWords } from '../../../domain/content/objects/object-sidecar.ts'
import { S3Error } from '../s3-error.ts'
import { textOfField } from './field-text.ts'
import { tagsOfHeader } from './object-tags.ts'

const userPrefix = 'x-amz-meta-'

/** What a request says of the object it writes. */
export function wordsOf(headers: Headers): ObjectWords {
  return { ...metadataWordsOf(headers), ...tagWordsOf(headers) }
}

/** The same without tags. */
export function metadataWordsOf(headers: Headers): ObjectWords {
  const user = Object.fromEntries(
    [...headers]
      .filter(([name]) => name.startsWith(userPrefix))
      .map(([name, value]) => [name.slice(userPrefix.length), textOfField(value)]),
  )
  requireRoom(user)
  const fields = objectFields.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    const text = value === null ? '' : fieldOf(name, value)
    return text === '' ? [] : [[name, text]]
  })
  return checked({ user, headers: Object.fromEntries(fields) })
}

export const tagWordsOf = (headers: Headers): ObjectWords => {
  const tagging = headers.get('x-amz-tagging')
  return tagging === null ? {} : { tags: tagsOfHeader(tagging) }
}

/** `aws-chunked` is the framing of the request, and gone. */
function fieldOf(name: string, value: string): string {
  const text = textOfField(value)
  if (name !== 'content-encoding') return text
  const codings = text.slice(0, objectLimits.headerLength + 1).split(',')
  return codings
    .map((coding) => coding.trim())
    .filter((coding) => coding.toLowerCase() !== 'aws-chunked' && coding !== '')
    .join(', ')
}

function requireRoom(user: Readonly<Record<string, string>>): void {
  const sizeBytes = Object.entries(user).reduce(
    (sum, pair) => sum + Buffer.byteLength(pair.join('')),
    0,
  )
  if (sizeBytes > objectLimits.userBytes)
    throw new S3Error(
      'MetadataTooLarge',
      'Your metadata headers exceed the maximum allowed metadata size',
      { elements: { Size: String(sizeBytes), MaxSizeAllowed: String(objectLimits.userBytes) } },
    )
}

function checked(words: ObjectWords): ObjectWords {
  const object = objectMetadataOf({ sha256: '0'.repeat(64), ...words }, 'metadata')
  if (object === undefined) return {}
  const { sha256: _none, ...said } = object
  return said
}
