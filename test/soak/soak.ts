import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { createRandom } from '../support/random.ts'
import { type ServiceProcess, startService } from '../support/service-process.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import { commandOf, descendantsOf, type Footprint, footprintOf } from './footprint.ts'
import { doAtPace } from './paced.ts'
import { commitsByLoad, loadsOf, publishForSoak } from './soak-loads.ts'

export interface SoakSample extends Footprint {
  readonly commits: number
}

export interface Soaked {
  readonly samples: readonly SoakSample[]
  readonly doneByName: ReadonlyMap<string, number>
  /** What was answered otherwise than it should be, while nobody had ended the service. */
  readonly faults: readonly string[]
  readonly webhooks: number
}

interface Options {
  readonly directory: string
  readonly seconds: number
  readonly seed: number
  readonly sampleEveryMs: number
  readonly onSample: (sample: SoakSample, atShare: number) => void
}

/**
 * As a user starts it, but that webhooks may go to this machine, and that the files with a line for each request,
 * which fill 256 MB before the oldest go, fill 4 MB: so it is seen that they go.
 */
const environment = {
  CHECK_RESPONSES: 'false',
  SEARCH_BY_NAME_ONLY: 'false',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  REQUEST_LOG_MB: '4',
  LOG_LEVEL: 'error',
}
/** Within the third that is not judged: what starts anew has its caches to fill. */
const restartAtShare = 1 / 8
const killChildEveryMs = 120_000
/** Of the webhooks, this one in so many is refused. */
const refusedWebhooks = 10

/** Everything at once for as long as it takes, with faults, and what it takes of the machine meanwhile. */
export async function soak(options: Options): Promise<Soaked> {
  const random = createRandom(options.seed)
  const dataDirectory = join(options.directory, 'data')
  const start = () => startService({ dataDirectory, environment })
  let service = await start()
  let isAway = false
  using receiver = openReceiver()
  await using ending = new AsyncDisposableStack()
  ending.defer(() => service[Symbol.asyncDispose]())
  const { directory } = options
  const images = await publishForSoak(service.url, { hook: receiver.url, directory })
  const faults: string[] = []
  const samples: SoakSample[] = []
  const work = doAtPace(
    [
      ...loadsOf({ url: () => service.url, random, directory, images }),
      { name: 'killed children', everyMs: killChildEveryMs, run: () => killChild(service) },
    ],
    (name, fault) => void (isAway || faults.push(`${name}: ${String(fault)}`)),
  )
  ending.use(work)

  async function restart(): Promise<void> {
    isAway = true
    await service.kill()
    service = await start()
    // What was under way ends in its own time.
    await wait(Math.min(5_000, options.sampleEveryMs))
    isAway = false
  }

  const count = Math.ceil((options.seconds * 1000) / options.sampleEveryMs)
  const restartAt = Math.floor(count * restartAtShare)
  for (let sample = 0; sample < count; sample += 1) {
    await wait(options.sampleEveryMs)
    if (sample === restartAt) await restart()
    const footprint = await footprintOf(service.pid, dataDirectory)
    const taken = { ...footprint, commits: commitsOf(work.doneByName) }
    samples.push(taken)
    options.onSample(taken, (sample + 1) / count)
  }
  return { samples, doneByName: work.doneByName, faults, webhooks: receiver.received.length }
}

function openReceiver() {
  const receiver = openWebhookReceiver()
  receiver.respond = () =>
    new Response(null, { status: receiver.received.length % refusedWebhooks === 0 ? 500 : 204 })
  return receiver
}

const commitsOf = (doneByName: ReadonlyMap<string, number>): number =>
  [...doneByName].reduce((sum, [name, done]) => sum + done * (commitsByLoad.get(name) ?? 0), 0)

/** One that makes images, where one is there. */
async function killChild({ pid }: ServiceProcess): Promise<void> {
  const renderer = descendantsOf(pid).find((child) => /sharp|render/u.test(commandOf(child)))
  if (renderer !== undefined) process.kill(renderer, 'SIGKILL')
  await wait(0)
}
