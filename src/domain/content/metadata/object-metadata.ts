import {
  checksumAlgorithms,
  objectHeaders,
  type ObjectMetadata,
} from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { invalid } from '../../errors.ts'
import { byUnits, membersOf } from './members.ts'

/** As S3 has it: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
export const objectLimits = {
  /** Names and values together. */
  userBytes: 2 * 2 ** 10,
  tags: 10,
  tagKeyLength: 128,
  tagValueLength: 256,
  headerLength: 1024,
  parts: 10_000,
  /** Of parts that have each another size not all are kept. */
  partRuns: 500,
} as const

/** What clients of S3 said of the asset as it is now. */
export const objectOf = ({
  metadata,
  sha256,
}: Pick<AssetRecord, 'metadata' | 'sha256'>): ObjectMetadata | undefined =>
  metadata?.object?.sha256 === sha256 ? metadata.object : undefined

/** `undefined` where nothing but the bytes is named. */
export function compactObject(object: Unchecked): ObjectMetadata | undefined {
  const said = Object.entries(object).filter(
    ([, value]) =>
      value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0),
  )
  return said.length > 1 ? (Object.fromEntries(said) as unknown as ObjectMetadata) : undefined
}

type Unchecked = { readonly sha256: string } & {
  readonly [Name in keyof ObjectMetadata]?: ObjectMetadata[Name] | undefined
}

/** Refuses what no client of S3 could have said. `target` names it in refusals. */
export function objectMetadataOf(value: unknown, target: string): ObjectMetadata | undefined {
  const members = membersOf(value, target)
  const { sha256, user, tags, headers, etag, parts, checksum } = members
  return compactObject({
    sha256: matching(sha256, /^[0-9a-f]{64}$/u, `${target}.sha256`),
    ...(isSaid(user) && { user: userOf(user, `${target}.user`) }),
    ...(isSaid(tags) && { tags: objectTagsOf(tags, `${target}.tags`) }),
    ...(isSaid(headers) && { headers: headersOf(headers, `${target}.headers`) }),
    ...(isSaid(etag) && { etag: matching(etag, /^[0-9a-f]{32}-\d{1,5}$/u, `${target}.etag`) }),
    ...(isSaid(parts) && { parts: partsOf(parts, `${target}.parts`) }),
    ...(isSaid(checksum) && { checksum: checksumOf(checksum, `${target}.checksum`) }),
  })
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null

function userOf(value: unknown, target: string): Readonly<Record<string, string>> {
  const texts = textsOf(value, target)
  const sizeBytes = texts.reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0)
  if (sizeBytes > objectLimits.userBytes)
    throw invalid(target, `must have at most ${objectLimits.userBytes} bytes`)
  for (const [name, text] of texts) {
    matching(name, /^[a-z0-9!#$%&'*+.^_`|~-]{1,2048}$/u, `${target} member name`)
    matching(text, printable, `${target}.${name}`)
  }
  return Object.fromEntries(texts)
}

/** Refuses more than S3 takes. */
export function objectTagsOf(value: unknown, target: string): Readonly<Record<string, string>> {
  const texts = textsOf(value, target)
  const { tags, tagKeyLength, tagValueLength } = objectLimits
  if (texts.length > tags) throw invalid(target, `must have at most ${tags} members`)
  for (const [key, text] of texts) {
    if (key === '' || key.length > tagKeyLength)
      throw invalid(target, `must have keys of 1 to ${tagKeyLength} characters`)
    if (text.length > tagValueLength)
      throw invalid(target, `must have values of at most ${tagValueLength} characters`)
    matching(key, tagCharacters, `${target} key`)
    matching(text, tagCharacters, `${target} value`)
  }
  return Object.fromEntries(texts)
}

function headersOf(value: unknown, target: string): ObjectMetadata['headers'] {
  const texts = textsOf(value, target)
  for (const [name, text] of texts) {
    if (!objectHeaders.some((header) => header === name))
      throw invalid(target, `must have no other members than ${objectHeaders.join(', ')}`)
    if (text.length > objectLimits.headerLength)
      throw invalid(target, `must have at most ${objectLimits.headerLength} characters each`)
    matching(text, printable, `${target}.${name}`)
  }
  return Object.fromEntries(texts)
}

function partsOf(value: unknown, target: string): ObjectMetadata['parts'] {
  if (!Array.isArray(value) || value.length > objectLimits.partRuns)
    throw invalid(target, `must be a list of at most ${objectLimits.partRuns} sizes`)
  const parts = value.map((each) => {
    const { sizeBytes, count } = membersOf(each, target)
    return { sizeBytes: countOf(sizeBytes, target), count: countOf(count, target) }
  })
  if (parts.reduce((sum, { count }) => sum + count, 0) > objectLimits.parts)
    throw invalid(target, `must be at most ${objectLimits.parts} parts`)
  return parts
}

function checksumOf(value: unknown, target: string): ObjectMetadata['checksum'] {
  const members = membersOf(value, target)
  const algorithm = checksumAlgorithms.find((name) => name === members['algorithm'])
  const type = (['FULL_OBJECT', 'COMPOSITE'] as const).find((name) => name === members['type'])
  if (algorithm === undefined || type === undefined)
    throw invalid(target, 'must name its algorithm and its type')
  const base64 = /^[A-Za-z0-9+/]{4,64}={0,2}(?:-\d{1,5})?$/u
  return { algorithm, type, value: matching(members['value'], base64, `${target}.value`) }
}

/** Nothing that would end a field of a response, or reorder what stands after it. */
const printable = /^[^\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\ufeff]*$/u
/** As S3 says, and letters of all languages. */
const tagCharacters = /^[\p{L}\p{M}\p{N} +\-=._:/@]*$/u

const textsOf = (value: unknown, target: string): readonly [string, string][] =>
  Object.entries(membersOf(value, target))
    .map(([name, text]): [string, string] => [name, anyText(text, target)])
    .toSorted(([one], [other]) => byUnits(one, other))

function anyText(value: unknown, target: string): string {
  if (typeof value !== 'string' || !value.isWellFormed())
    throw invalid(target, 'must have texts of well-formed Unicode')
  return value
}

function matching(value: unknown, wanted: RegExp, target: string): string {
  const text = anyText(value, target)
  if (text.length > 8192 || !wanted.test(text)) throw invalid(target, 'is not as it should be')
  return text
}

function countOf(value: unknown, target: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid(target, 'must have whole numbers')
  return value
}
