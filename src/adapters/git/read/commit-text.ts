import { isMediaType } from '../../../lib/text/media-types.ts'
import type { Change, CommitRequest, Move } from '../../../ports/content/content-store.ts'

/** Of every commit that this store makes. */
export const committerEmail = 'sedge@sedge.invalid'
const committer = `Sedge <${committerEmail}>`
const requestIdKey = 'Request-Id'
export const contentTypeKey = 'Content-Type'
const movedKey = 'Moved'
/** In a commit of ours that takes up its second parent from the repository of a zone. */
export const pushedZoneKey = 'Pushed-Zone'

export interface CommitFields {
  readonly treeId: string
  readonly parentId: string | undefined
  readonly mergedId: string | undefined
  readonly request: CommitRequest
  readonly seconds: number
  readonly changes: readonly Change[]
}

/** The body of a commit object. */
export function commitBody({
  treeId,
  parentId,
  mergedId,
  request,
  seconds,
  changes,
}: CommitFields): Buffer {
  const lines = [
    `tree ${treeId}`,
    ...[parentId, mergedId].flatMap((id) => (id === undefined ? [] : [`parent ${id}`])),
    `author ${identity(request.author)} ${seconds} +0000`,
    `committer ${committer} ${seconds} +0000`,
    '',
    oneLine(request.subject) || 'change',
    ...trailers(request, changes),
  ]
  return Buffer.from(`${lines.join('\n')}\n`)
}

/**
 * What the message of a commit says: of ours, all that was asked for. Anybody may have written one who
 * can push, so a type is there only where it is one.
 */
export interface CommitMessage {
  readonly subject: string
  readonly requestId: string | undefined
  readonly contentTypeByPath: ReadonlyMap<string, string>
  readonly moves: readonly Move[]
}

export function parseCommitMessage(message: string): CommitMessage {
  const paragraphs = message.trim().split(/\n{2,}/u)
  const contentTypeByPath = new Map<string, string>()
  const moves: Move[] = []
  let requestId: string | undefined
  for (const line of paragraphs.length > 1 ? (paragraphs.at(-1) ?? '').split('\n') : []) {
    const [, key, value = ''] = /^([A-Za-z-]+): (.*)$/u.exec(line) ?? []
    if (key === requestIdKey) requestId = value
    if (key === contentTypeKey) addContentType(contentTypeByPath, value)
    if (key === movedKey) addMove(moves, value)
  }
  return { subject: oneLine(paragraphs[0] ?? ''), requestId, contentTypeByPath, moves }
}

function trailers(request: CommitRequest, changes: readonly Change[]): string[] {
  const { requestId, mergedZone, moves = [] } = request
  const lines = requestId === undefined ? [] : [`${requestIdKey}: ${oneLine(requestId)}`]
  if (mergedZone !== undefined) lines.push(`${pushedZoneKey}: ${mergedZone}`)
  for (const change of changes)
    if (change.kind === 'put' && change.contentType !== undefined)
      lines.push(
        `${contentTypeKey}: ${oneLine(change.contentType)} ${encodeCommitPath(change.path)}`,
      )
  for (const { from, to } of moves)
    lines.push(`${movedKey}: ${encodeCommitPath(from)} ${encodeCommitPath(to)}`)
  return lines.length === 0 ? [] : ['', ...lines]
}

function addMove(moves: Move[], value: string): void {
  const [from = '', to = '', ...more] = value.split(' ')
  if (from === '' || to === '' || more.length > 0) return
  try {
    moves.push({ from: decodeURIComponent(from), to: decodeURIComponent(to) })
  } catch {
    // As above.
  }
}

function addContentType(contentTypeByPath: Map<string, string>, value: string): void {
  const gap = value.lastIndexOf(' ')
  const type = value.slice(0, gap)
  if (!isMediaType(type)) return
  try {
    contentTypeByPath.set(decodeURIComponent(value.slice(gap + 1)), type)
  } catch {
    // A trailer that somebody else wrote; it names no path.
  }
}

function identity(author: string): string {
  const name = oneLine(author.replaceAll(/[<>]/gu, ' ')) || 'unknown'
  return `${name} <${name.replaceAll(/[^\w.:+@-]/gu, '-')}@sedge.invalid>`
}

/** No control characters: a line break would be a header or a trailer of the caller's making. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f]+/gu, ' ')
    .trim()

export const encodeCommitPath = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/')
