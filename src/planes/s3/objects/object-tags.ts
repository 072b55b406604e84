import { objectTagsOf } from '../../../domain/content/metadata/object-metadata.ts'
import { asRefusal } from '../../../domain/errors.ts'
import { S3Error } from '../s3-error.ts'
import { elementsOf, requiredTextIn, type XmlElement } from '../xml/read-xml.ts'

type Tags = Readonly<Record<string, string>>

/** `Stage=draft&Owner=me`, as a query. */
export function tagsOfHeader(header: string): Tags {
  if (header.length > 8192) throw badHeader()
  const pairs = [...new URLSearchParams(header)]
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw badHeader()
  return checkedTags(pairs)
}

/** A document `Tagging`. */
export function tagsOfDocument(tagging: XmlElement): Tags {
  const tags = elementsOf(tagging, 'TagSet').flatMap((set) => elementsOf(set, 'Tag'))
  const pairs = tags.map((tag): [string, string] => [
    requiredTextIn(tag, 'Key'),
    requiredTextIn(tag, 'Value'),
  ])
  if (new Set(pairs.map(([key]) => key)).size < pairs.length)
    throw invalidTag('Cannot provide multiple Tags with the same key')
  return checkedTags(pairs)
}

function checkedTags(pairs: readonly (readonly [string, string])[]): Tags {
  if (pairs.length > 10) throw new S3Error('BadRequest', 'Object tags cannot be greater than 10')
  try {
    return objectTagsOf(Object.fromEntries(pairs), 'tags')
  } catch (thrown) {
    const refusal = asRefusal(thrown)
    throw refusal === undefined ? thrown : invalidTag(refusal.message)
  }
}

const invalidTag = (message: string) => new S3Error('InvalidTag', message)

const badHeader = () =>
  new S3Error(
    'InvalidArgument',
    "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
    { elements: { ArgumentName: 'x-amz-tagging' } },
  )
