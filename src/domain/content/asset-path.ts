import { invalid } from '../errors.ts'
import { isZoneName, type ZoneName } from './zone-name.ts'

/**
 * The path of a file in a zone: `<zone>/v1/<category>/<file>`, NFC, without a leading slash. Made by
 * {@link parseAssetPath} alone, which is the only guard between a caller's text and the repository.
 */
export type AssetPath = string & { readonly __brand: 'AssetPath' }

/** A directory in the storage plane's URL space: `''`, `<zone>` or `<zone>/v1/…`, no slash at either end. */
export type DirectoryPath = string & { readonly __brand: 'DirectoryPath' }

/** Where all zones live in the repository. */
export const clientsDirectory = 'clients'
/** Keeps an empty standard directory in git; catalog and listings hide it. */
export const placeholderName = '.keep'

const maxSegmentBytes = 255
const maxPathBytes = 1024

/** C0, DEL, C1; separators of lines; characters that reorder text; and the byte order mark. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
/** Code points that file systems ignore when they compare names, so that `.g<ZWNJ>it` opens `.git`. */
const ignorable = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu
const gitName = /^(\.git|git~\d)/iu

/** Decodes percent-encoding once. `target` names the field a refusal points at. */
export function decodePath(encoded: string, target = 'path'): string {
  try {
    return decodeURIComponent(encoded)
  } catch (cause) {
    throw invalid(target, 'must be percent-encoded UTF-8', cause)
  }
}

/**
 * A decoded path as callers write it (with or without `clients/`, with or without one leading slash)
 * as an {@link AssetPath}. Anything the repository, a clone of it on another system, or another zone
 * could be harmed by is refused with `InvalidParameter`.
 */
export function parseAssetPath(text: string, target = 'path'): AssetPath {
  const segments = parseSegments(text, target)
  const [zone, version] = segments
  if (zone === undefined || !isZoneName(zone) || version !== 'v1' || segments.length < 3)
    throw invalid(target, 'must name a file below <zone>/v1/')
  if (segments.at(-1) === placeholderName)
    throw invalid(target, `must not be named ${placeholderName}: that name is the service's own`)
  return segments.join('/') as AssetPath
}

/** A decoded path that is to be listed; one trailing slash is allowed. */
export function parseDirectoryPath(text: string, target = 'path'): DirectoryPath {
  const trimmed = text.endsWith('/') ? text.slice(0, -1) : text
  if (trimmed === '' || trimmed === clientsDirectory || trimmed === `/${clientsDirectory}`)
    return '' as DirectoryPath
  const [zone, ...below] = parseSegments(trimmed, target)
  if (zone === undefined || !isZoneName(zone)) throw invalid(target, 'must begin with a zone')
  return [zone, ...below].join('/') as DirectoryPath
}

/** Whether `text` is an asset path that needs no repair; for paths from git, which may hold anything. */
export function isAssetPath(text: string): text is AssetPath {
  try {
    return parseAssetPath(text) === text
  } catch {
    return false
  }
}

export const zoneOf = (path: AssetPath): ZoneName => path.slice(0, path.indexOf('/')) as ZoneName

/** The file's place in the repository. */
export const repositoryPath = (path: AssetPath | DirectoryPath): string =>
  path === '' ? clientsDirectory : `${clientsDirectory}/${path}`

/** The segment after `v1/`; a file directly under `v1/` is `general`. */
export function categoryOf(path: AssetPath): string {
  const segments = path.split('/')
  return segments.length > 3 ? (segments[2] ?? 'general') : 'general'
}

export const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The extension in lower case without its dot, or `''`. A leading dot starts a name, not an extension. */
export function formatOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}

/** For addresses: each segment percent-encoded as one. */
export const encodePath = (path: string): string =>
  plainPath.test(path) ? path : path.split('/').map(encodeURIComponent).join('/')

/** What stays as it is; asked of each path of thousands, it is quicker than to encode them. */
const plainPath = /^[\w.\-/]*$/u

function parseSegments(text: string, target: string): string[] {
  if (!text.isWellFormed()) throw invalid(target, 'must be well-formed Unicode')
  const path = withoutPrefixes(text).normalize('NFC')
  if (Buffer.byteLength(path) > maxPathBytes)
    throw invalid(target, `must be at most ${maxPathBytes} bytes long`)
  const segments = path.split('/')
  for (const segment of segments) checkSegment(segment, target)
  return segments
}

function withoutPrefixes(text: string): string {
  const path = text.startsWith('/') ? text.slice(1) : text
  return path.startsWith(`${clientsDirectory}/`) ? path.slice(clientsDirectory.length + 1) : path
}

const segmentRules: readonly {
  readonly breaks: (segment: string) => boolean
  readonly why: string
}[] = [
  { breaks: (segment) => segment === '', why: 'must not have empty segments' },
  {
    breaks: (segment) => segment === '.' || segment === '..',
    why: 'must not have . or .. segments',
  },
  { breaks: (segment) => unprintable.test(segment), why: 'must not have control characters' },
  { breaks: (segment) => segment.includes('\\'), why: 'must not have backslashes' },
  {
    breaks: (segment) => /[. ]$/u.test(segment),
    why: 'must not have segments that end in a dot or a space',
  },
  { breaks: namesGit, why: 'must not have segments that begin with .git' },
  {
    breaks: (segment) => Buffer.byteLength(segment) > maxSegmentBytes,
    why: `must not have segments over ${maxSegmentBytes} bytes`,
  },
]

function namesGit(segment: string): boolean {
  return gitName.test(segment.normalize('NFKC').replace(ignorable, ''))
}

/** Nothing that any rule speaks of; so are most segments of most paths. */
const plainSegment = /^[\w-][\w.-]{0,100}$/u

function checkSegment(segment: string, target: string): void {
  if (plainSegment.test(segment) && !segment.endsWith('.')) return
  for (const { breaks, why } of segmentRules) if (breaks(segment)) throw invalid(target, why)
}

/** The directories every zone starts with, below `v1/`. */
export const standardDirectories = ['banners', 'github', 'icons', 'logos', 'titles'] as const
