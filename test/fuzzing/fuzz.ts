import type { Random } from '../support/random.ts'
import { type FuzzTarget, type Input, isRefused } from './fuzz-target.ts'
import { mutated } from './mutate.ts'

export interface Fault {
  readonly input: Input
  readonly why: string
}

export interface Findings {
  readonly inputs: number
  readonly refused: number
  /** Ways that the parser went. */
  readonly outcomes: number
  /** Processor time of the input that took the longest. */
  readonly slowestMs: number
  readonly faults: readonly Fault[]
}

interface Options {
  readonly random: Random
  readonly corpus: readonly Input[]
  /** Asked before each input. */
  readonly isOver: (inputs: number) => boolean
  /** Told what is looked at, before it is: if nothing comes back, this is why. */
  readonly onInput?: (input: Input) => void
}

/** Processor time that an input may take. */
const maxComputedMs = 1000
/** What a process may come to hold besides. */
const maxGrownBytes = 2 ** 30
/** So many inputs that led somewhere new are made others of. */
const maxKept = 2000
const maxFaults = 20

/**
 * Looks at everything that is kept, then at others made of it. What leads to an outcome that none before led
 * to is made others of, too.
 */
export async function fuzz(target: FuzzTarget, options: Options): Promise<Findings> {
  const { random, isOver, onInput } = options
  const others = [...options.corpus]
  const outcomes = new Set<string>()
  const faultsByWhy = new Map<string, Fault>()
  const grownBytes = watchMemory()
  let [inputs, refused, slowestMs] = [0, 0, 0]

  const take = async (input: Input, isKept: boolean) => {
    onInput?.(input)
    inputs += 1
    const { outcome, why, computedMs } = await tried(target, input)
    slowestMs = Math.max(slowestMs, computedMs)
    if (why !== undefined && !faultsByWhy.has(why)) faultsByWhy.set(why, { input, why })
    if (outcome === undefined) return
    if (isRefused(outcome)) refused += 1
    if (!isKept && !outcomes.has(outcome) && others.length < maxKept) others.push(input)
    outcomes.add(outcome)
  }
  for (const input of options.corpus) await take(input, true)
  while (!isOver(inputs) && faultsByWhy.size < maxFaults) {
    await take(mutated({ random, others, words: target.words }), false)
    if (inputs % 1000 === 0 && grownBytes() > maxGrownBytes) {
      const why = `after ${inputs} inputs ${grownBytes()} bytes more were held`
      faultsByWhy.set('memory', { input: new Uint8Array(), why })
      break
    }
  }
  const faults = [...faultsByWhy.values()]
  return { inputs, refused, outcomes: outcomes.size, slowestMs, faults }
}

interface Tried {
  readonly outcome?: string
  /** What is at fault; the same for the same fault. */
  readonly why?: string
  readonly computedMs: number
}

/** What is slow is tried again: the processor time may have been the collector's. */
export async function tried(target: FuzzTarget, input: Input): Promise<Tried> {
  const first = await timed(target, input)
  if (first.computedMs <= maxComputedMs) return first
  const { computedMs } = await timed(target, input)
  if (computedMs <= maxComputedMs) return first
  return { ...first, why: 'it takes more than a second of a processor', computedMs }
}

async function timed(target: FuzzTarget, input: Input): Promise<Tried> {
  const before = process.threadCpuUsage()
  const spent = () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  try {
    const outcome = await target.look(input)
    return { outcome, computedMs: spent() }
  } catch (error) {
    return { why: whyOf(error), computedMs: spent() }
  }
}

/** Kind, message without what is of the input, and where it came from. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`
  const place = /\((?<place>[^()]*\/src\/[^()]*)\)/u.exec(error.stack ?? '')?.groups?.['place']
  return `${error.name}: ${error.message.slice(0, 200)}${place === undefined ? '' : ` at ${place}`}`
}

function watchMemory(): () => number {
  const before = process.memoryUsage().rss
  return () => process.memoryUsage().rss - before
}

/** As little of the input as still shows the fault: pieces are left out, large ones first. */
export async function minimised(target: FuzzTarget, { input, why }: Fault): Promise<Input> {
  let least = input
  for (let size = least.length >> 1; size >= 1; size >>= 1)
    for (let at = 0; at < least.length;) {
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + size)])
      const candidate = Uint8Array.from(shorter)
      if ((await tried(target, candidate)).why === why) least = candidate
      else at += size
    }
  return least
}
