import { objectId } from '../objects/object-id.ts'
import { type PackedObject, packObject } from '../objects/pack-format.ts'

/** A commit of a zone's repository, by what it is made of. */
export interface ZoneCommitFields {
  readonly treeId: string
  readonly parentIds: readonly string[]
  /** Name, address and time, as git writes them. */
  readonly author: string
  readonly committer: string
  readonly subject: string
}

const lightestLevel = 1

/** The object. The same fields make the same id, always. */
export function zoneCommitObject(fields: ZoneCommitFields): PackedObject {
  const lines = [
    `tree ${fields.treeId}`,
    ...fields.parentIds.map((id) => `parent ${id}`),
    `author ${fields.author}`,
    `committer ${fields.committer}`,
    '',
    fields.subject,
  ]
  const body = Buffer.from(`${lines.join('\n')}\n`)
  return packObject({ id: objectId('commit', body), kind: 'commit', body }, lightestLevel)
}

/** What a commit says of itself, and what it did. */
interface Described {
  readonly zone: string
  readonly subject: string
  /** How many files of the zone it changed. */
  readonly fileCount: number
  /** Whether it changed anything that is not the zone's. */
  readonly isShared: boolean
}

const longestSubject = 500
const pathStart = /(?<zone>[a-z0-9-]{2,64})\/v1(?![^/\s])/gu
/** What this service says of a request about many files: the zones stand at the end. */
const zoneList =
  /^[A-Z][a-z]{1,20} \d{1,9} (?:files|paths|objects) (?:of|into) (?<zones>[a-z0-9, -]+)$/u
const directoryStart = /clients\/(?<zone>[^/\s]{1,64})/gu

/**
 * The subject as those may read it who reach this zone alone. One of a commit that did something elsewhere
 * too, or that names a path of another zone, is not for them.
 */
export function zoneSubject({ zone, subject, fileCount, isShared }: Described): string {
  const shown = subject.slice(0, longestSubject).toWellFormed().trim()
  if (shown !== '' && !isShared && !namesOther(shown, zone)) return shown
  return `Change ${fileCount} ${fileCount === 1 ? 'file' : 'files'}`
}

function namesOther(subject: string, zone: string): boolean {
  const listed = zoneList.exec(subject)?.groups?.['zones']?.split(', ') ?? []
  const named = [pathStart, directoryStart].flatMap((pattern) =>
    [...subject.matchAll(pattern)].map(({ groups }) => groups?.['zone']),
  )
  return [...listed, ...named].some((name) => name !== zone)
}

const identPattern = /^(?<name>.*) <(?<email>[^<>]*)> (?<time>\d{1,12} [+-]\d{4})$/u

/** A name, an address and a time as `fsck --strict` has them. What is none of it is of nobody. */
export function zoneIdent(text: string, seconds: number): string {
  const found = identPattern.exec(text)?.groups
  const time = found?.['time'] ?? `${seconds} +0000`
  const name = found?.['name']?.replaceAll(/[<>]/gu, '').trim() || 'unknown'
  const email = found?.['email']?.trim() || 'unknown@sedge.invalid'
  return `${name} <${email}> ${time}`
}
