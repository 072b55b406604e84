import {
  manifestRoot,
  parsePosition,
  rootMessage,
} from '../../src/domain/edges/manifest/manifest-root.ts'
import {
  type EdgeOrigin,
  EdgeOriginError,
  type FeedMessage,
} from '../../src/ports/edges/edge-origin.ts'
import type { Random } from '../support/random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { SimulatedOrigin } from './simulated-origin.ts'

export interface WireCount {
  connections: number
  messages: number
  messageBytes: number
  resyncs: number
  manifestBytes: number
}

/** The way of one edge to the origin: slow as the network is, and at times cut or read slowly at its end. */
export interface SimulatedWire {
  readonly origin: Pick<EdgeOrigin, 'feed' | 'manifest' | 'part'>
  cut(): void
  mend(): void
  /** The edge takes a message in so many milliseconds; 0 is at once. */
  readEvery(ms: number): void
  /** How long something takes from one end to the other. */
  readonly latencyMs: () => number
}

interface World {
  readonly clock: SimulatedClock
  readonly origin: SimulatedOrigin
  readonly random: Random
  readonly count: WireCount
  readonly onLost: () => void
}

/** What the network holds of messages that were sent and not read. */
const maxUnderWay = 4
const decoder = new TextDecoder()
const textByFrame = new WeakMap<Uint8Array, string>()

export function openSimulatedWire(world: World): SimulatedWire {
  const { clock, origin, random, count } = world
  const farMs = random.integer(5, 120)
  const latencyMs = () => farMs + random.integer(0, 80)
  const state = { isCut: false, everyMs: 0, cutOff: new AbortController() }

  function requireWay(): void {
    if (state.isCut || origin.isAway) throw new EdgeOriginError('The wire is cut')
  }

  async function asked<Result>(answer: () => Promise<Result>): Promise<Result> {
    await clock.wait(latencyMs())
    requireWay()
    const result = await clock.standStill(answer())
    await clock.wait(latencyMs())
    requireWay()
    return result
  }

  async function* feed(since: string, signal: AbortSignal): AsyncGenerator<FeedMessage, void> {
    await clock.wait(latencyMs(), signal)
    requireWay()
    const body = origin.open(parsePosition(since, 'since'))
    if (body === undefined) return
    count.connections += 1
    const ending = AbortSignal.any([signal, state.cutOff.signal])
    const reader = body.getReader()
    ending.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
    try {
      for await (const text of messagesOf(reader, ending)) {
        if (state.everyMs > 0) await clock.wait(state.everyMs, ending)
        if (ending.aborted) break
        yield messageOf(text, count)
      }
    } finally {
      await reader.cancel().catch(() => undefined)
      world.onLost()
    }
    throw new EdgeOriginError('The feed ended')
  }

  /** In their order; so many are under way at a time, and no more are read from the stream of the origin. */
  async function* messagesOf(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    ending: AbortSignal,
  ): AsyncGenerator<string, void> {
    const arriving: { readonly text: string; readonly atMs: number }[] = []
    let bell = Promise.withResolvers<void>()
    let room = Promise.withResolvers<void>()
    let isOver = false
    const ring = () => {
      bell.resolve()
      room.resolve()
    }
    ending.addEventListener('abort', ring)
    const pump = async () => {
      for (;;) {
        while (arriving.length >= maxUnderWay && !ending.aborted) {
          room = Promise.withResolvers()
          await room.promise
        }
        const { value, done } = await reader.read()
        if (done) break
        const atMs = Math.max(clock.nowMs + latencyMs(), arriving.at(-1)?.atMs ?? 0)
        arriving.push({ text: textOf(value), atMs })
        bell.resolve()
      }
      isOver = true
      bell.resolve()
    }
    const pumping = pump()
    while (!ending.aborted) {
      const next = arriving[0]
      if (next === undefined) {
        if (isOver) break
        bell = Promise.withResolvers()
        await bell.promise
        continue
      }
      if (next.atMs > clock.nowMs) await clock.wait(next.atMs - clock.nowMs, ending)
      if (ending.aborted) break
      arriving.shift()
      room.resolve()
      yield next.text
    }
    await reader.cancel().catch(() => undefined)
    await pumping
  }

  return {
    origin: {
      feed,
      manifest: () =>
        asked(async () => {
          const standing = { position: origin.position, isCurrent: true }
          const text = JSON.stringify(rootMessage(await manifestRoot(origin.parts, standing)))
          count.manifestBytes += text.length
          return text
        }),
      part: (name) =>
        asked(async () => {
          const text = await origin.parts.text(name)
          count.manifestBytes += text?.length ?? 0
          return text
        }),
    },
    cut() {
      state.isCut = true
      state.cutOff.abort()
    },
    mend() {
      state.isCut = false
      state.cutOff = new AbortController()
    },
    readEvery: (ms) => void (state.everyMs = ms),
    latencyMs,
  }
}

function textOf(frame: Uint8Array): string {
  const known = textByFrame.get(frame)
  if (known !== undefined) return known
  const text = decoder.decode(frame)
  textByFrame.set(frame, text)
  return text
}

function messageOf(text: string, count: WireCount): FeedMessage {
  const [, event = ''] = text.split('\n', 2)
  count.messages += 1
  count.messageBytes += text.length
  if (event === 'event: resync') {
    count.resyncs += 1
    return { kind: 'resync' }
  }
  return { kind: 'change', text: text.slice(text.indexOf('data: ') + 6, -2) }
}
