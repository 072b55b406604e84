import {
  type LinePosition,
  type RequestKind,
  requestKinds,
  type RequestLine,
  type RequestLogStore,
  type StoredLine,
} from '../../../ports/traffic/request-log-store.ts'
import type { LogQuery } from '../query/log-query.ts'
import type { LineCursor } from './line-cursor.ts'

export interface RequestSearch {
  readonly query: LogQuery
  /** What of a line is to be seen; `undefined` where nothing is. A query never learns of more. */
  readonly show: (line: RequestLine) => RequestLine | undefined
  /** In milliseconds; both are within. */
  readonly from: number
  readonly to: number
  readonly limit: number
  /** Where an earlier search ended. */
  readonly cursor: LineCursor
  /** So many lines are looked at, at most. */
  readonly maxLines: number
}

export interface FoundRequests {
  /** Newest first. */
  readonly lines: readonly RequestLine[]
  /** How many lines were looked at. */
  readonly looked: number
  /** The time of the oldest that was looked at; `undefined` where none was. */
  readonly lookedBackTo: number | undefined
  /** Where to go on; `undefined` where there is nothing more. */
  readonly cursor: LineCursor | undefined
}

/** Others must not wait while a question is answered that looks at much. */
const linesBetweenTurns = 1_000

/** Goes back in time through the lines of all kinds that the query can be about, until it has found enough. */
export async function searchRequests(
  store: Pick<RequestLogStore, 'read'>,
  { query, show, from, to, limit, cursor, maxLines }: RequestSearch,
): Promise<FoundRequests> {
  const kinds = requestKinds.filter((kind) => query.kinds.has(kind))
  const readers = await Promise.all(
    kinds.map((kind) =>
      openReader({ kind, lines: store.read(kind, cursor[kind]), start: cursor[kind] }),
    ),
  )
  const found: RequestLine[] = []
  let looked = 0
  let lookedBackTo: number | undefined
  let reader = newestOf(readers, from)
  try {
    while (reader?.head !== undefined && found.length < limit && looked < maxLines) {
      const { text, at } = reader.head
      looked += 1
      lookedBackTo = at
      const line = at <= to ? fittingLine(text, { query, show }) : undefined
      if (line !== undefined) found.push(line)
      await reader.next()
      if (looked % linesBetweenTurns === 0) await nextTurn()
      reader = newestOf(readers, from)
    }
    const more = reader && { ...cursor, ...cursorOf(readers) }
    return { lines: found, looked, lookedBackTo, cursor: more }
  } finally {
    await Promise.all(readers.map((each) => each.close()))
  }
}

/** What is to be seen of the line, where that is what is sought. */
function fittingLine(
  text: string,
  { query, show }: Pick<RequestSearch, 'query' | 'show'>,
): RequestLine | undefined {
  const line = query.mayMatch(text) ? lineOf(text) : undefined
  const shown = line && show(line)
  return shown !== undefined && query.matches(shown) ? shown : undefined
}

interface Head extends StoredLine {
  readonly at: number
}

interface Reader {
  readonly kind: RequestKind
  /** The newest line that was not looked at yet. */
  readonly head: Head | undefined
  /** Of the last line that was looked at. */
  readonly position: LinePosition | undefined
  next(): Promise<void>
  close(): Promise<void>
}

interface Opening {
  readonly kind: RequestKind
  readonly lines: AsyncIterable<readonly StoredLine[]>
  readonly start: LinePosition | undefined
}

async function openReader({ kind, lines, start }: Opening): Promise<Reader> {
  const batches = lines[Symbol.asyncIterator]()
  let batch: readonly StoredLine[] = []
  let place = 0
  let head: Head | undefined
  let position = start

  async function next(): Promise<void> {
    position = head?.position ?? position
    while (place >= batch.length) {
      const { done, value } = await batches.next()
      if (done === true) return void (head = undefined)
      batch = value
      place = 0
    }
    const line = batch[place]
    place += 1
    head = line && { ...line, at: timeOf(line.text) }
  }

  await next()
  return {
    kind,
    next,
    get head() {
      return head
    },
    get position() {
      return position
    },
    close: async () => void (await batches.return?.()),
  }
}

/** Of those whose next line is not older than `from`. */
function newestOf(readers: readonly Reader[], from: number): Reader | undefined {
  let newest: Reader | undefined
  for (const reader of readers) {
    const at = reader.head?.at ?? -1
    if (at >= from && at > (newest?.head?.at ?? -1)) newest = reader
  }
  return newest
}

const cursorOf = (readers: readonly Reader[]): LineCursor =>
  Object.fromEntries(
    readers.flatMap(({ kind, position }) => (position === undefined ? [] : [[kind, position]])),
  )

const timePlace = '{"at":'.length

/** Without taking the line apart: its time comes first. */
function timeOf(text: string): number {
  const time = Number.parseInt(text.slice(timePlace, timePlace + 15), 10)
  return Number.isFinite(time) ? time : 0
}

function lineOf(text: string): RequestLine | undefined {
  try {
    return JSON.parse(text) as RequestLine
  } catch {
    return undefined
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
