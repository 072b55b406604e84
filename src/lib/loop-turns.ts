/** For how long whatever else was ready to run had to wait. */
export interface Turn {
  readonly waitedMs: number
  /** For how long this thread computed meanwhile; else it waited for a disk, or for a processor that others had. */
  readonly computedMs: number
  /** What was under way, where that is known. */
  readonly during?: readonly string[]
}

interface Options {
  /** How often it is looked: what is shorter is not always seen. Each look costs about a tenth of a millisecond. */
  readonly everyMs: number
  readonly monotonicMs: () => number
  /** Processor time of this thread so far. */
  readonly computedMs?: () => number
  readonly onTurn: (turn: Turn) => void
}

/** Tells how late a timer is, again and again: everything else waits for its turn as long. */
export function watchTurns(options: Options): Disposable {
  const timer = setInterval(createTurnMeter(options), options.everyMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** What is to be called every so often. */
export function createTurnMeter(options: Options): () => void {
  const { everyMs, monotonicMs, computedMs = ownProcessorMs, onTurn } = options
  let last = monotonicMs()
  let lastComputed = computedMs()
  return () => {
    const [now, computed] = [monotonicMs(), computedMs()]
    onTurn({ waitedMs: Math.max(0, now - last - everyMs), computedMs: computed - lastComputed })
    last = now
    lastComputed = computed
  }
}

/**
 * How much of the processor one turn took at least: what the thread computed while others waited for it. It
 * computed before they waited too, and it waited itself: neither is the length of a turn.
 */
export const heldMs = ({ waitedMs, computedMs }: Turn): number => Math.min(waitedMs, computedMs)

function ownProcessorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The longest of the last minute or two, without keeping each. */
export function createLongestTurn(monotonicMs: () => number) {
  let [former, current, since] = [0, 0, monotonicMs()]
  function turnPage(): void {
    const minutes = Math.floor((monotonicMs() - since) / minuteMs)
    if (minutes < 1) return
    former = minutes === 1 ? current : 0
    current = 0
    since += minutes * minuteMs
  }
  return {
    add(ms: number): void {
      turnPage()
      current = Math.max(current, ms)
    },
    get ms(): number {
      turnPage()
      return Math.max(former, current)
    },
  }
}

const minuteMs = 60_000
