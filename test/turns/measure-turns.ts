import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import type { LongTurn } from '../support/long-turns.ts'
import { access, startService, temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import type { Sizes } from './sizes.ts'
import type { Place, Work } from './works.ts'
import { writeTraffic } from './years-of-traffic.ts'

export interface Measured {
  readonly name: string
  readonly seconds: number
  /** Why the work could not be done, where it could not. */
  readonly failure?: unknown
  /** Longest first. */
  readonly ofService: readonly LongTurn[]
  readonly ofEdge: readonly LongTurn[]
}

interface Options {
  readonly works: readonly Work[]
  readonly sizes: Sizes
  /** What is shorter is not told. */
  readonly limitMs: number
  readonly onMeasured?: (measured: Measured) => void
}

/** What comes after a response belongs to the work too. */
const restMs = 1_500
/** A commit, and an edge that writes it down, may take so long. */
const untilSame = 120_000

/** Does each of the works on one service that an edge follows, while others read. */
export async function measureTurns(options: Options): Promise<readonly Measured[]> {
  const { works, sizes, limitMs, onMeasured } = options
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  const environment = {
    TURN_LIMIT_MS: String(limitMs),
    PUSHES_PER_MINUTE: '100000',
    DOMAINS_PER_ZONE: '100000',
    DOMAINS_PER_DAY: '100000',
    SEARCHES_PER_MINUTE: '100000',
    SEARCH_BY_NAME_ONLY: '',
    // It costs a part of each response, and is for tests alone.
    CHECK_RESPONSES: '',
    BACKUP_TO: join(directory.path, 'backup'),
    BACKUP_EVERY_HOURS: '0',
  }
  const start = async (port = '0') =>
    await startService({ dataDirectory, environment: { ...environment, PORT: port } })
  let service = await start()
  const { port } = new URL(service.url)
  const world = worldOf(service)
  for (const zone of ['acme', 'bolt']) await world.zone(zone)
  const token = await edgeTokenOf(service.url)
  await service.stop()
  await writeTraffic({ dataDirectory, ...sizes })
  service = await start(port)
  const place: Place = {
    directory: directory.path,
    dataDirectory,
    sizes,
    url: service.url,
    world,
    async restart(meanwhile) {
      await service.stop()
      await meanwhile?.()
      service = await start(port)
    },
    async withoutEdge(meanwhile) {
      const { port: edgePort } = new URL(edge.url)
      await edge.stop()
      await meanwhile()
      edge = await openEdge(edgePort)
    },
  }
  const openEdge = (edgePort: string) =>
    startEdge({
      origin: place.url,
      token,
      name: 'follows',
      directory: join(directory.path, 'edge'),
      args: ['--port', edgePort],
      environment: { TURN_LIMIT_MS: String(limitMs) },
    })
  let edge = await openEdge('0')
  try {
    using _readers = readMeanwhile([service.url, edge.url])
    const all: Measured[] = []
    for (const work of works) {
      const startedAt = performance.now()
      edge.turns.take()
      let former = service.turns
      former.take()
      const before = [...former.take()]
      const failure: unknown = await work.run(place).then(
        () => undefined,
        (error: unknown) => error,
      )
      await untilShown(world, edge.url)
      await Bun.sleep(restMs)
      if (service.turns !== former) before.push(...former.take())
      former = service.turns
      const measured = {
        name: work.name,
        seconds: (performance.now() - startedAt) / 1_000,
        ofService: longestFirst([...before, ...former.take()]),
        ofEdge: longestFirst(edge.turns.take()),
        ...(failure !== undefined && { failure }),
      }
      onMeasured?.(measured)
      all.push(measured)
    }
    return all
  } finally {
    await edge[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  }
}

const longestFirst = (turns: readonly LongTurn[]): readonly LongTurn[] =>
  turns.toSorted((one, other) => other.computedMilliseconds - one.computedMilliseconds)

/** What is written last is at the edge: so is everything before it. */
async function untilShown(world: Place['world'], edgeUrl: string): Promise<void> {
  const path = `acme/v1/icons/mark-${crypto.randomUUID()}.txt`
  await world.put(path, 'mark')
  const deadline = performance.now() + untilSame
  while ((await fetch(`${edgeUrl}/${path}`).then(consumed, () => 0)) !== 200) {
    if (performance.now() > deadline) throw new Error('the edge does not show what was published')
    await Bun.sleep(50)
  }
}

const consumed = async (response: Response): Promise<number> => {
  await response.arrayBuffer()
  return response.status
}

const reads = [
  '/acme/v1/icons/after.svg',
  '/api/health',
  '/api/assets?per_page=50&folder=acme/v1/icons',
  '/api/search?q=icon',
]

/** Asks for small things all the time, as visitors and operators do. */
function readMeanwhile(urls: readonly string[]): Disposable {
  const stopping = new AbortController()
  const read = async (url: string): Promise<void> => {
    while (!stopping.signal.aborted) {
      await fetch(url, { headers: access }).then(consumed, () => 0)
      await Bun.sleep(100)
    }
  }
  for (const url of urls) for (const path of reads) void read(url + path)
  return { [Symbol.dispose]: () => stopping.abort() }
}
