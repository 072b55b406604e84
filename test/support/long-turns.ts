/** A turn of the loop of a service or an edge in which its thread computed for longer than it may. */
export interface LongTurn {
  /** When it was over (ISO 8601). */
  readonly time: string
  readonly computedMilliseconds: number
  /** By the clock, where it may have waited for a disk or a processor too. */
  readonly milliseconds: number
  readonly during?: readonly string[]
}

/** No turn of a process that answers may compute for longer. */
export const turnLimitMs = 100
const message = 'a turn of the loop was longer than its limit'

export interface LongTurns {
  /** Those since the last call. */
  take(): readonly LongTurn[]
  /**
   * To be awaited once the process has ended. With `SEDGE_HOLD_TURNS` it rejects where there were any that nobody
   * took, so that whatever a test does with a service is held to the limit.
   */
  refuse(): Promise<void>
}

/** Hands on what a process says on standard error, and notes the turns that it complains of. */
export function noteLongTurns(errors: ReadableStream<Uint8Array>): LongTurns {
  const all: LongTurn[] = []
  const reading = readLines(errors, (line) => {
    const turn = longTurnIn(line)
    if (turn === undefined) process.stderr.write(`${line}\n`)
    else all.push(turn)
  })
  const take = () => all.splice(0)
  return {
    take,
    async refuse() {
      if (process.env['SEDGE_HOLD_TURNS'] === undefined) return
      // Children of one that was killed may have the other end for a while.
      await Promise.race([reading, Bun.sleep(patienceMs)])
      const turns = take()
      if (turns.length > 0)
        throw new Error(
          `the loop stood still for more than ${turnLimitMs} ms: ${JSON.stringify(turns)}`,
        )
    },
  }
}

const patienceMs = 500

async function readLines(
  stream: ReadableStream<Uint8Array>,
  each: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  const reader = stream.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
    const lines = rest.split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    for (const line of lines) if (line !== '') each(line)
    if (done) return
  }
}

function longTurnIn(line: string): LongTurn | undefined {
  if (!line.includes(message)) return undefined
  const { time, milliseconds, computedMilliseconds, during } = JSON.parse(line) as LongTurn
  return { time, milliseconds, computedMilliseconds, ...(during && { during }) }
}
