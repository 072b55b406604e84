import type { Sender } from '../records/sender.ts'

/**
 * What is kept of each request, newest first. It is no truth: what a crash or a full disk takes of it is
 * lost. Each kind has room of its own, so that none pushes out another.
 */
export interface RequestLogStore {
  /**
   * Keeps the lines, each among those of its kind, in this order; of a kind at most as many bytes as it
   * has room. A process that is killed afterwards loses none of them. Rejects where they cannot be kept.
   */
  append(lines: readonly RequestLine[]): Promise<void>
  /**
   * The lines of a kind in batches, the last written first; what is older than `before`, where given, and
   * never what is written meanwhile. A line that was damaged is left out. Ends early where what comes next
   * has been forgotten meanwhile.
   */
  read(kind: RequestKind, before?: LinePosition): AsyncIterable<readonly StoredLine[]>
  /** Forgets files of lines that were all written before this. */
  forgetBefore(time: Date): Promise<void>
}

/** Lines that somebody has noted, and how many more there were that nobody had room for. */
export interface TakenLines {
  readonly lines: readonly RequestLine[]
  readonly notKept: number
}

/** Where a line lies among those of its kind: in which file, and from which byte on. */
export interface LinePosition {
  readonly segment: number
  readonly offset: number
}

export interface StoredLine {
  readonly position: LinePosition
  /** JSON of a {@link RequestLine}, whose first member is `at`. */
  readonly text: string
}

/** Faults of the service; refusals; paths with nothing at them; and everything else. */
export const requestKinds = ['failed', 'refused', 'missing', 'delivered'] as const
export type RequestKind = (typeof requestKinds)[number]

export function requestKindOf(status: number): RequestKind {
  if (status >= 500) return 'failed'
  if (status === 404 || status === 410) return 'missing'
  return status >= 400 ? 'refused' : 'delivered'
}

/** One request and what became of it. Nothing in it opens anything or names a person. */
export interface RequestLine {
  /** When it was answered, in milliseconds since the epoch. */
  readonly at: number
  /** Tells lines apart that say the same; given as it is stored. */
  readonly line?: string
  readonly method: string
  /** Without the query, where secrets are. */
  readonly path: string
  readonly status: number
  /** Until the response began. */
  readonly ms: number
  /** Of the body, as far as it was known when the response began. */
  readonly bytes: number
  /** Left out where no cache was asked. */
  readonly cache?: 'hit' | 'miss'
  /** `''` where it was about none. */
  readonly zone: string
  /** The asset's path, where it was about one. */
  readonly asset?: string
  readonly by?: Sender
  /** Two letters; `XX` where it is not known. */
  readonly country: string
  /** A part of the client's address. */
  readonly network?: string
  /** The host of the page that led here. */
  readonly referrer?: string
  /** The family of the user agent. */
  readonly agent?: string
  readonly requestId?: string
  /** Of the API: the id of the operation. */
  readonly operation?: string
  /** Of a refusal. */
  readonly code?: string
  readonly reason?: string
  /** Those that are safe to keep. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * JSON of a line. The time comes first, so that whoever reads need not take the whole apart to know it; most lines are
 * made so, and those are not copied.
 */
export function lineText(line: RequestLine): string {
  const text = JSON.stringify(line)
  if (text.startsWith('{"at":')) return text
  const { at, ...rest } = line
  return JSON.stringify({ at, ...rest })
}
