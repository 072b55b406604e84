import type { AssetMetadata, JsonValue } from '../../../ports/records/asset-metadata.ts'
import { canonicalJson } from '../../../lib/text/canonical-json.ts'
import { invalid, ServiceError } from '../../errors.ts'
import {
  altOf,
  byUnits,
  compact,
  customOf,
  isNothingKnown,
  languageOf,
  membersOf,
  metadataLimits,
  momentOf,
  pointOf,
  requireDepth,
  requireLanguages,
  tagsOf,
  textOf,
} from './members.ts'
import { objectMetadataOf } from './object-metadata.ts'

/** What the file beside an asset says, `clients/<zone>/.sedge/assets/<path below the zone>.json`. */
export interface Sidecar {
  readonly metadata: AssetMetadata
  /** Members that are not this service's; they are kept. */
  readonly others: Readonly<Record<string, JsonValue>>
}

/** Whatever there is to say is said in so many bytes. */
export const maxSidecarBytes = 32 * 2 ** 10
const maxOthersBytes = 4 * 2 ** 10
const maxDepth = 10
const version = 1

/** A file that is none of ours: the message says why. */
export class SidecarError extends Error {
  override readonly name = 'SidecarError'
}

/** Throws a {@link SidecarError} for anything but what a person may say. Never slow, never deep. */
export function parseSidecar(bytes: Uint8Array): Sidecar {
  if (bytes.length > maxSidecarBytes)
    throw new SidecarError(`it has more than ${maxSidecarBytes} bytes`)
  const value = parseJson(bytes)
  try {
    requireDepth(value, maxDepth, 'it')
    return read(membersOf(value, 'it'))
  } catch (error) {
    throw error instanceof ServiceError ? new SidecarError(error.message) : error
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new SidecarError('it is no JSON', { cause })
  }
}

function read(members: Readonly<Record<string, unknown>>): Sidecar {
  const found = new Map(Object.entries(members).filter(([, value]) => value !== null))
  if ((found.get('version') ?? version) !== version) throw invalid('version', `must be ${version}`)
  found.delete('version')
  const metadata: Record<string, unknown> = {}
  for (const [name, readMember] of Object.entries(readers)) {
    if (!found.has(name)) continue
    metadata[name === 'expires' ? 'expiresAt' : name] = readMember(found.get(name), name)
    found.delete(name)
  }
  const others = Object.fromEntries(found) as Sidecar['others']
  if (Buffer.byteLength(canonicalJson(others)) > maxOthersBytes)
    throw invalid('what else it says', `must have at most ${maxOthersBytes} bytes`)
  return { metadata: compact(metadata), others }
}

type Reader = (value: unknown, name: string) => unknown

const textUpTo =
  (maxLength: number): Reader =>
  (value, name) =>
    textOf(value, maxLength, name)

/** In the order that a file has them. */
const readers: Readonly<Record<string, Reader>> = {
  title: textUpTo(metadataLimits.titleLength),
  description: textUpTo(metadataLimits.descriptionLength),
  copyright: textUpTo(metadataLimits.copyrightLength),
  licence: textUpTo(metadataLimits.licenceLength),
  expires: momentOf,
  focalPoint: pointOf,
  alt: readAlt,
  tags: (value, name) => tagsOf(Array.isArray(value) ? value.filter(isSaid) : value, name),
  custom: (value, name) => customOf(saidOf(value, name), name),
  object: objectMetadataOf,
}

function readAlt(value: unknown, name: string): Readonly<Record<string, string>> {
  const texts = Object.entries(saidOf(value, name)).map(([tag, text]): [string, string] => [
    languageOf(tag, name),
    altOf(text, `${name}.${tag}`),
  ])
  requireLanguages(texts.length, name)
  return Object.fromEntries(texts.toSorted(([one], [other]) => byUnits(one, other)))
}

const isSaid = (value: unknown): boolean => value !== null
const saidOf = (value: unknown, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(membersOf(value, name)).filter(([, each]) => isSaid(each)))

/**
 * The bytes of the file, or `undefined` where there is nothing to say and so no file. Git merges line by
 * line, and two changes next to each other are a conflict to it. So every member has a line, said or
 * not, and stands between empty lines; what comes last never changes, as a comma would be a change; and
 * what can be added (languages, tags, own fields) is added at one of many empty lines, by its name.
 */
export function serialiseSidecar({ metadata, others }: Sidecar): Uint8Array | undefined {
  if (isNothingKnown(metadata) && Object.keys(others).length === 0) return undefined
  const { title, description, copyright, licence, expiresAt, focalPoint } = metadata
  const { alt = {}, tags = [], custom = {}, object } = metadata
  const lines = [
    line('title', title),
    line('description', description),
    line('copyright', copyright),
    line('licence', licence),
    line('expires', expiresAt?.toISOString()),
    line('focalPoint', focalPoint),
    `  "alt": {\n${slotted(entriesOf(alt))}    "": null\n  },`,
    `  "tags": [\n${slotted(tags.map((tag) => [tag, JSON.stringify(tag)]))}    null\n  ],`,
    `  "custom": {\n${slotted(entriesOf(custom))}    "": null\n  },`,
    // Said by programs and merged by this one alone, so it has no line while it is not said.
    ...(object === undefined ? [] : [line('object', object)]),
    ...Object.keys(others)
      .toSorted(byUnits)
      .map((name) => line(name, others[name])),
    `  "version": ${version}`,
  ]
  const bytes = new TextEncoder().encode(`{\n${lines.join('\n\n')}\n}\n`)
  if (bytes.length > maxSidecarBytes)
    throw invalid('Metadata', `must have at most ${maxSidecarBytes} bytes in all`)
  return bytes
}

const line = (name: string, value: unknown): string =>
  `  ${JSON.stringify(name)}: ${canonicalJson(value ?? null)},`

type Entry = readonly [name: string, text: string]

const entriesOf = (members: Readonly<Record<string, JsonValue>>): readonly Entry[] =>
  Object.entries(members).map(([name, value]) => [
    name,
    `${JSON.stringify(name)}: ${canonicalJson(value)}`,
  ])

/** Never to be changed, as nothing else would any more be where git looks for it. */
const slotCount = 32

const emptySlots = '\n'.repeat(slotCount)

function slotted(entries: readonly Entry[]): string {
  if (entries.length === 0) return emptySlots
  const slots = Array.from({ length: slotCount }, () => '')
  for (const [name, text] of entries.toSorted(([one], [other]) => byUnits(one, other))) {
    const slot = slotOf(name)
    slots[slot] += `${slots[slot] === '' ? '' : '\n'}    ${text},\n`
  }
  return `${slots.join('\n')}\n`
}

/** With this factor the twenty languages of most pages each have a slot of their own. */
const slotFactor = 2969

function slotOf(name: string): number {
  let sum = 7
  for (const byte of Buffer.from(name)) sum = (sum * slotFactor + byte) % 1_000_003
  return sum % slotCount
}
