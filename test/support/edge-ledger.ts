import { setTimeout as wait } from 'node:timers/promises'

import { access } from './service-process.ts'

/** Batches of files that all say the same number, each batch one more than the last. */
export interface PublishingLoad extends AsyncDisposable {
  /** The newest number that was answered. */
  readonly published: number
  /** The newest number that was sent, answered or not. */
  readonly sent: number
  /** Deliveries that this asked for itself. */
  readonly asked: number
  readonly faults: readonly string[]
  stop(): Promise<void>
  /** Whether every file at an edge says the newest number that was answered, or a later one. */
  isNewestAt(url: string): Promise<boolean>
}

/** So many that an edge which showed them one after the other would be seen at it. */
const filesInBatch = 24
const pathOf = (place: number) => `acme/v1/texts/part-${place}.txt`
const answerWithinMs = 20_000

/** Publishes for as long as it takes, and goes on when the origin is killed. */
export function openPublishingLoad(originUrl: () => string): PublishingLoad {
  const state = { published: 0, sent: 0, asked: 0, isOn: true, faults: [] as string[] }

  async function publish(): Promise<void> {
    const number = (state.sent += 1)
    const files = Array.from({ length: filesInBatch }, (_, place) => ({
      path: `clients/${pathOf(place)}`,
      content: String(number),
      encoding: 'utf-8',
    }))
    const response = await fetch(`${originUrl()}/api/storage/batch`, {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ files }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    await response.arrayBuffer()
    if (response.status === 201) state.published = number
    else if (response.status !== 503) state.faults.push(`${response.status} for batch ${number}`)
  }

  async function run(): Promise<void> {
    while (state.isOn) {
      await publish().catch(() => undefined)
      await wait(20)
    }
  }

  const running = run()
  const stop = async () => {
    state.isOn = false
    await running
    // The last that was sent may have been lost with its response; this one is known.
    while (state.published !== state.sent) await publish()
  }
  return {
    get published() {
      return state.published
    },
    get sent() {
      return state.sent
    },
    get asked() {
      return state.asked
    },
    faults: state.faults,
    stop,
    async isNewestAt(url) {
      for (let place = 0; place < filesInBatch; place += 1) {
        state.asked += 1
        const response = await fetch(`${url}/${pathOf(place)}`)
        if ((await response.text()) !== String(state.published)) return false
      }
      return true
    },
    async [Symbol.asyncDispose]() {
      state.isOn = false
      await running
    },
  }
}

interface Watched {
  readonly responses: number
  readonly faults: readonly string[]
}

export interface EdgeWatch {
  responses(): number
  stop(): Promise<Watched>
}

/**
 * Asks one edge for the files, one after the other, over and over. A number that is older than any
 * answered before, also by a process that was killed since, is a fault; so is a file that is older than
 * another that was seen before it was asked for, since both were published together.
 */
export function watchEdge(
  edgeUrl: () => string,
  { load, name }: { readonly load: PublishingLoad; readonly name: string },
): EdgeWatch {
  const faults: string[] = []
  let newest = 0
  let responses = 0
  const ending = new AbortController()

  async function look(place: number): Promise<void> {
    const response = await fetch(`${edgeUrl()}/${pathOf(place)}`, {
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const text = await response.text()
    responses += 1
    // Bytes that are not here yet cannot be had while the origin is away.
    if (response.status === 503) return
    if (response.status === 404 && newest === 0) return
    const number = Number(text)
    if (response.status !== 200 || !(number > 0))
      faults.push(`${name}: ${response.status} after ${newest}`)
    else if (number < newest) faults.push(`${name}: part ${place} is ${number} after ${newest}`)
    else if (number > load.sent) faults.push(`${name}: ${number} was never sent`)
    else newest = number
  }

  async function run(): Promise<void> {
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      // The first, and at once the last: what is shown bit by bit shows there.
      for (const place of [0, filesInBatch - 1, turn % filesInBatch])
        // A process that was just killed does not answer.
        await look(place).catch(() => wait(20))
      await wait(1)
    }
  }

  const running = run()
  return {
    responses: () => responses,
    async stop() {
      ending.abort()
      await running
      return { responses, faults }
    },
  }
}
