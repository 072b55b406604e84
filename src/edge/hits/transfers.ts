import type { ConnectionEnds, SentBytes } from '../../ports/traffic/sent-bytes.ts'
import { createTransferLine, type TransferLine } from './transfer-line.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'

/**
 * Bodies above this size are followed while they are sent. Smaller ones count whole at once: they are in
 * the kernel's hands before a client could break off.
 */
export const maxUnfollowedBytes = 256 * 1024

/** Aborted where the client is gone before it has got all. */
export type EndingRequest = RequestHead & Pick<Request, 'signal'>

/** Large bodies on their way: each counts as it is sent, so that what was broken off never counts whole. */
export interface Transfers {
  /**
   * Tells `count` of the body's bytes as they leave, all of them where the answer is sent to its end.
   * `false`: nothing is known of the connection, and the caller counts the whole at once.
   */
  follow(request: EndingRequest, sizeBytes: number, count: (bytes: number) => void): boolean
  /** Counts what has left by now. */
  settle(): void
  /** The same, and follows none of them any further: for when their counts are taken for the last time. */
  finish(): void
}

interface Dependencies {
  readonly sentBytes: SentBytes
  /** More than one where it may be any of them; none where it came by no connection of a network. */
  readonly endsOf: (request: RequestHead) => readonly ConnectionEnds[]
}

const tickMs = 100
/** With very many at once they are looked at less often, so that a processor has time for them. */
const maxPerMs = 10

export function createTransfers({ sentBytes, endsOf }: Dependencies): Transfers {
  const lines = new Map<string, TransferLine>()
  const lineOf = createLineFinder({ sentBytes, endsOf }, lines)
  let timer: ReturnType<typeof setTimeout> | undefined

  function forgetEmpty(line: TransferLine): void {
    if (!line.isEmpty || lines.get(line.id) !== line) return
    lines.delete(line.id)
    line[Symbol.dispose]()
  }

  function each(act: (line: TransferLine) => unknown): void {
    for (const line of lines.values()) {
      act(line)
      forgetEmpty(line)
    }
  }

  function wake(): void {
    if (timer !== undefined || lines.size === 0) return
    timer = setTimeout(
      () => {
        timer = undefined
        each((line) => line.tick())
        wake()
      },
      Math.max(tickMs, lines.size / maxPerMs),
    )
    timer.unref()
  }

  return {
    follow(request, sizeBytes, count) {
      // Nothing of it will be sent.
      if (request.signal.aborted) return true
      const line = lineOf(request)
      if (line === undefined) return false
      const transfer = { count, leftBytes: sizeBytes }
      line.add(transfer)
      const former = lines.get(line.id)
      if (former !== line) former?.[Symbol.dispose]()
      lines.set(line.id, line)
      wake()
      const breakOff = () => {
        line.breakOff(transfer)
        forgetEmpty(line)
      }
      request.signal.addEventListener('abort', breakOff, { once: true })
      return true
    },
    settle: () => each((line) => line.update()),
    finish() {
      each((line) => line.finish())
      for (const line of lines.values()) line[Symbol.dispose]()
      lines.clear()
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** How the line of a request's connection is found; `undefined` where nothing is told of connections. */
function createLineFinder(
  { sentBytes, endsOf }: Dependencies,
  lines: ReadonlyMap<string, TransferLine>,
): (request: RequestHead) => TransferLine | undefined {
  let hasToldOfAny = false
  let unknownCount = 0

  /** Gone already, of another kind, or at an address of this machine that is not known: soon told apart. */
  function unknownLine(): TransferLine {
    unknownCount += 1
    const connection = {
      id: `unknown ${unknownCount}`,
      measure: () => undefined,
      [Symbol.dispose]: () => undefined,
    }
    return createTransferLine(connection, { sentBytes: 0, waitingBytes: 0, isOpen: true })
  }

  /** Bytes of an answer before this one may be among those that still count for it. */
  function lineAt(ends: ConnectionEnds): TransferLine | undefined {
    const connection = sentBytes.connection(ends)
    if (connection === undefined) return undefined
    const first = connection.measure()
    const known = lines.get(connection.id)
    known?.update()
    if (first?.isOpen === true && known?.isEmpty !== false)
      return createTransferLine(connection, first)
    connection[Symbol.dispose]()
    return known?.isEmpty === false ? known : undefined
  }

  return (request) => {
    const allEnds = endsOf(request)
    for (const ends of allEnds) {
      const line = lineAt(ends)
      if (line === undefined) continue
      hasToldOfAny = true
      return line
    }
    return hasToldOfAny && allEnds.length > 0 ? unknownLine() : undefined
  }
}
