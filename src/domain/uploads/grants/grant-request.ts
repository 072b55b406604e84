import type { UploadGrantRecord } from '../../../ports/access/upload-grant-store.ts'
import { parseAssetPath } from '../../content/asset-path.ts'
import { type DescribingEdit, editedMetadata } from '../../content/metadata/edit-metadata.ts'
import { invalid } from '../../errors.ts'
import { typeRange } from './allowed-types.ts'

/** What somebody asks a grant for. */
export interface GrantRequest {
  /** The one file; or else `prefix`. */
  readonly path: string | undefined
  /** A directory, below which the uploader names the file. */
  readonly prefix: string | undefined
  readonly maxBytes: number | undefined
  readonly types: readonly string[] | undefined
  readonly origins: readonly string[] | undefined
  readonly times: number
  readonly overwrites: boolean
  readonly expiresAt: Date | undefined
  /** What is to be known of each file. */
  readonly metadata: DescribingEdit | undefined
}

export type GrantTerms = Omit<UploadGrantRecord, 'id' | 'createdBy' | 'grantorMark' | 'createdAt'>

interface Bounds {
  readonly at: Date
  /** When whoever asks is good no more. */
  readonly latest: Date | undefined
  readonly maxFileBytes: number
}

const hourMs = 3_600_000
/** No grant is good for longer. */
const maxGrantDays = 7

/** The request as it can be kept; refuses what no grant can say. */
export function grantTerms(request: GrantRequest, bounds: Bounds): GrantTerms {
  const { maxBytes, times, overwrites, metadata } = request
  const path = pathOf(request)
  if (maxBytes !== undefined && maxBytes > bounds.maxFileBytes)
    throw invalid('MaxBytes', `must be at most ${bounds.maxFileBytes}`)
  if (times > 1 && !overwrites && request.path !== undefined)
    throw invalid('Times', 'must be 1 for one file, unless Overwrite is true')
  return {
    zone: path.slice(0, path.indexOf('/')),
    path,
    maxBytes,
    types: request.types?.map(rangeOf),
    origins: request.origins?.map(originOf),
    metadata: metadata && checkedMetadata(metadata),
    times,
    overwrites,
    expiresAt: expiryOf(request.expiresAt, bounds),
  }
}

function pathOf({ path, prefix }: GrantRequest): string {
  if ((path === undefined) === (prefix === undefined))
    throw invalid('Path', 'must be given, or else Prefix, and not both')
  if (path !== undefined) return parseAssetPath(path, 'Path')
  const directory = (prefix ?? '').replace(/\/$/u, '')
  // What is below a directory is as good as the path of any file there.
  return parseAssetPath(`${directory}/file`, 'Prefix').slice(0, -'file'.length)
}

/** Whoever uploads could not mend it. */
function checkedMetadata(edit: DescribingEdit): Readonly<Record<string, unknown>> {
  editedMetadata({}, {}, edit)
  return { ...edit.patch }
}

function rangeOf(text: string, place: number): string {
  const range = typeRange(text)
  if (range === undefined)
    throw invalid(`Types[${place}]`, 'must be a media type, or a range such as image/*')
  return range
}

function originOf(text: string, place: number): string {
  const url = URL.parse(text)
  if (url === null || url.origin !== text.toLowerCase() || !/^https?:$/u.test(url.protocol))
    throw invalid(`Origins[${place}]`, 'must be an origin, e.g. https://www.example.com')
  return url.origin
}

function expiryOf(asked: Date | undefined, { at, latest }: Bounds): Date {
  const furthest = at.getTime() + maxGrantDays * 24 * hourMs
  const wanted = asked?.getTime() ?? at.getTime() + hourMs
  if (wanted <= at.getTime()) throw invalid('ExpiresAt', 'must be in the future')
  if (wanted > furthest) throw invalid('ExpiresAt', `must be within ${maxGrantDays} days`)
  return new Date(Math.min(wanted, latest?.getTime() ?? wanted))
}
