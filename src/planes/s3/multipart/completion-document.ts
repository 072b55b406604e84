import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import type { PartChoice } from '../../../domain/uploads/multipart/choose-parts.ts'
import { checksumKinds } from '../content/content-checksums.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Content } from '../s3-request.ts'
import { elementsOf, readXml, requiredTextIn, textIn, type XmlElement } from '../xml/read-xml.ts'

/** A part as a client lists it when it completes an upload. */
export interface ListedPart extends PartChoice {
  /** By algorithm, Base64. */
  readonly checksums: ReadonlyMap<string, string>
}

/** Ten thousand parts with all that may be said of each. */
const bounds = { maxBytes: 8 * 2 ** 20, maxItems: 10_000 }

/** The document `CompleteMultipartUpload`. */
export async function listedParts(content: S3Content): Promise<readonly ListedPart[]> {
  const document = await readXml(content, 'CompleteMultipartUpload', bounds)
  const parts = elementsOf(document, 'Part').map(listedPart)
  if (parts.length > 0) return parts
  throw new S3Error('MalformedXML', 'You must specify at least one part')
}

function listedPart(part: XmlElement): ListedPart {
  const number = requiredTextIn(part, 'PartNumber').trim()
  if (!/^\d{1,5}$/u.test(number))
    throw new S3Error('MalformedXML', 'PartNumber must be a whole number')
  const checksums = Object.keys(checksumKinds).flatMap((algorithm): [string, string][] => {
    const value = textIn(part, `Checksum${algorithm}`)
    return value === undefined ? [] : [[algorithm, value.trim()]]
  })
  return {
    number: Number(number),
    md5: requiredTextIn(part, 'ETag').trim().replaceAll('"', '').toLowerCase(),
    checksums: new Map(checksums),
  }
}

/** What is said of a part that is there is what it has. */
export function requireChecksums(
  listed: readonly ListedPart[],
  parts: readonly UploadPart[],
): void {
  for (const [index, { checksums, number }] of listed.entries()) {
    const own = parts[index]?.checksum
    if (own !== undefined && (checksums.get(own.algorithm) ?? own.value) !== own.value)
      throw invalidPart(number)
  }
}

export const invalidPart = (number: number) =>
  new S3Error(
    'InvalidPart',
    "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
    { elements: { PartNumber: String(number) } },
  )
