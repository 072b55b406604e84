import { expect, test } from 'bun:test'

import { termMs } from '../../src/wiring/content/cluster-stores.ts'
import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.ts'
import { createClients, createZones, fsck, verify, work } from '../support/ledger-clients.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { access } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const cycles = Number(process.env['SEDGE_CLUSTER_CYCLES'] ?? 3)
const clientCount = 6

const kinds = [
  { way: 'toDatabase', state: 'black hole' },
  { way: 'toBlobs', state: 'cut' },
  { way: 'toDatabase', state: 'cut' },
  { way: 'toBlobs', state: 'black hole' },
] as const
const partitions = Array.from(
  { length: Number(process.env['SEDGE_CLUSTER_PARTITIONS'] ?? 2) },
  (_, place) => kinds[place % kinds.length] ?? kinds[0],
)

/** Waits until any of these nodes takes a write, and answers after how many milliseconds. */
async function untilWritable(nodes: readonly ClusterNode[]): Promise<number> {
  const began = performance.now()
  const live = nodes.filter(({ process }) => process !== undefined)
  await until(async () => {
    for (const { url } of live) if (await takesWrite(url)) return true
    return false
  })
  return performance.now() - began
}

const takesWrite = async (url: string): Promise<boolean> =>
  await fetch(`${url}/api/storage/client-0/v1/titles/probe.txt`, {
    method: 'PUT',
    headers: access,
    body: crypto.randomUUID(),
    signal: AbortSignal.timeout(5_000),
  }).then(
    ({ status }) => status === 201,
    () => false,
  )

/** Asks for one asset all the time; whatever is not answered with its bytes is counted. */
function watchReads(url: string) {
  const state = { isOn: true, responses: 0, missed: 0 }
  const run = async () => {
    while (state.isOn) {
      const isServed = await fetch(`${url}/client-0/v1/titles/kept.txt`).then(
        async (response) => response.status === 200 && (await response.text()) === 'kept',
        () => false,
      )
      if (isServed) state.responses += 1
      else state.missed += 1
      await Bun.sleep(5)
    }
  }
  const running = run()
  return {
    async stop() {
      state.isOn = false
      await running
      return state
    },
  }
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0

if (have('a cluster of nodes', postgres, s3Server)) {
  test(
    `of ${cycles} kills in a cluster of three none loses what was acknowledged, and reads go on`,
    async () => {
      const random = createRandom(seedOf('kills in a cluster'))
      await using cluster = await startCluster({ nodeCount: 3 })
      const clients = createClients(clientCount, random, { mayRepeat: true })
      await createZones(clients, urlOf(cluster, 0))
      await fetch(`${urlOf(cluster, 0)}/api/storage/client-0/v1/titles/kept.txt`, {
        method: 'PUT',
        headers: access,
        body: 'kept',
      })
      const takeovers: number[] = []
      const reads = { responses: 0, missed: 0 }

      for (let cycle = 0; cycle < cycles; cycle += 1) {
        const writer = await cluster.writer()
        const killed = cycle % 3 === 2 ? random.pick(list(cluster.nodes)) : writer
        if (killed === undefined) throw new Error('nobody writes')
        const others = cluster.nodes.filter((node) => node !== killed)
        const ending = new AbortController()
        const working = clients.map((client) =>
          work(client, random.pick(list(cluster.nodes)).url, ending.signal),
        )
        const watching = watchReads(random.pick(list(others)).url)
        await Bun.sleep(random.integer(300, 1_500))
        await cluster.kill(killed)
        const tookMs = await untilWritable(others)
        if (killed === writer) takeovers.push(tookMs)
        ending.abort()
        await Promise.all(working)
        const seen = await watching.stop()
        reads.responses += seen.responses
        reads.missed += seen.missed
        await cluster.start(killed)
        for (const node of cluster.nodes) await verifySoon(clients, node)
      }

      const acknowledged = clients.reduce((sum, { ledger }) => sum + ledger.acknowledgedCount, 0)
      console.log(
        `${cycles} kills, ${acknowledged} acknowledged writes, none lost; the next node wrote after ` +
          `p50 ${percentile(takeovers, 0.5).toFixed(0)} ms, p99 ${percentile(takeovers, 0.99).toFixed(0)} ms; ` +
          `${reads.responses} reads meanwhile, ${reads.missed} not answered`,
      )
      expect(acknowledged).toBeGreaterThan(0)
      expect(reads.missed).toBe(0)
      for (const node of cluster.nodes) expect(fsck(node.dataDirectory)).toBe('')
    },
    cycles * 40_000 + 120_000,
  )

  test('a node that was paused while it wrote cannot write once another one does', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const clients = createClients(2, createRandom(1), { mayRepeat: true })
    await createZones(clients, urlOf(cluster, 0))
    const paused = await cluster.writer()
    if (paused?.process === undefined) throw new Error('nobody writes')
    const { pid, exited } = paused.process
    process.kill(pid, 'SIGSTOP')
    const late = put(paused.url, 'late.txt')
    const others = cluster.nodes.filter((node) => node !== paused)
    await untilWritable(others)
    process.kill(pid, 'SIGCONT')

    expect(await late.catch(() => 'cut off')).not.toBe(201)
    expect(await exited).toBe(1)
    await cluster.start(paused)
    for (const { url } of cluster.nodes)
      expect((await fetch(`${url}/client-0/v1/titles/late.txt`)).status).toBe(404)
    await untilWritable([paused])
    expect(fsck(paused.dataDirectory)).toBe('')
  }, 120_000)

  test(
    `in ${partitions.length} partitions of a node from the database or the blobs nothing is lost`,
    async () => {
      const random = createRandom(seedOf('partitions in a cluster'))
      await using cluster = await startCluster({ nodeCount: 3 })
      const clients = createClients(clientCount, random, { mayRepeat: true })
      await createZones(clients, urlOf(cluster, 0))
      for (const [place, { way, state }] of partitions.entries()) {
        const writer = await cluster.writer()
        const cutOff = place % 4 === 3 ? random.pick(list(cluster.nodes)) : writer
        if (cutOff === undefined) throw new Error('nobody writes')
        const others = cluster.nodes.filter((node) => node !== cutOff)
        const ending = new AbortController()
        const working = clients.map((client) =>
          work(client, random.pick(list(cluster.nodes)).url, ending.signal),
        )
        await Bun.sleep(random.integer(100, 1_000))
        cutOff[way].turnInto(state)
        if (way === 'toDatabase') await untilWritable(others)
        else await Bun.sleep(random.integer(200, 2_000))
        ending.abort()
        await Promise.all(working)
        cutOff[way].turnInto('open')
        if (cutOff === writer && way === 'toDatabase') await cluster.startAgain(cutOff)
        for (const node of cluster.nodes) await verifySoon(clients, node)
      }
      const acknowledged = clients.reduce((sum, { ledger }) => sum + ledger.acknowledgedCount, 0)
      console.log(`${partitions.length} partitions, ${acknowledged} acknowledged writes, none lost`)
      for (const node of cluster.nodes) expect(fsck(node.dataDirectory)).toBe('')
    },
    partitions.length * 90_000 + 120_000,
  )

  test('a restart of the database is lived through by every node', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    using watching = startEndedNodes(cluster)
    const clients = createClients(4, createRandom(4), { mayRepeat: true })
    await createZones(clients, urlOf(cluster, 0))
    let longestMs = 0
    for (const how of ['kill', 'stop'] as const) {
      const ending = new AbortController()
      const working = clients.map((client, place) =>
        work(client, cluster.nodes[place % 2]?.url ?? '', ending.signal),
      )
      await Bun.sleep(200)
      const start = performance.now()
      await cluster.database.restart(how)
      longestMs = Math.max(longestMs, performance.now() - start)
      ending.abort()
      await Promise.all(working)
      await untilWritable(cluster.nodes)
      for (const node of cluster.nodes) await verifySoon(clients, node)
    }
    // Where the machine took longer than a term, the node that wrote has ended, as it must.
    if (longestMs < termMs / 2) expect(watching.ended).toEqual([])
  }, 120_000)
}

/** Starts nodes again that end of themselves, as whatever they run under does. */
function startEndedNodes(cluster: Cluster): Disposable & { readonly ended: readonly string[] } {
  const ended: string[] = []
  let isOver = false
  const watch = async (node: ClusterNode): Promise<void> => {
    for (;;) {
      await node.process?.exited
      if (isOver) return
      ended.push(node.url)
      await cluster.startAgain(node)
    }
  }
  for (const node of cluster.nodes) void watch(node)
  return { ended, [Symbol.dispose]: () => void (isOver = true) }
}

const urlOf = ({ nodes }: Cluster, place: number): string => nodes[place]?.url ?? ''

function list<T>(items: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = items
  if (first === undefined) throw new Error('there is none')
  return [first, ...rest]
}

const put = async (url: string, name: string): Promise<number> => {
  const address = `${url}/api/storage/client-0/v1/titles/${name}`
  const init = { method: 'PUT', headers: access, body: name }
  return (await fetch(address, { ...init, signal: AbortSignal.timeout(60_000) })).status
}

/**
 * What a node delivers may be a little behind, and who writes may change once more meanwhile; what is lost
 * stays lost.
 */
async function verifySoon(clients: Parameters<typeof verify>[0], node: ClusterNode): Promise<void> {
  for (let triesLeft = 4; ; triesLeft -= 1) {
    await until(async () => {
      const url = `${node.url}/api/core/zones`
      const response = await fetch(url, { headers: access }).catch(() => undefined)
      return response !== undefined && response.status < 500
    })
    await until(async () => await isLevel(node))
    try {
      return await verify(clients, node)
    } catch (fault) {
      if (triesLeft === 0) throw fault
    }
  }
}

/** Whether the node shows a write that has just been made through it. */
async function isLevel({ url }: ClusterNode): Promise<boolean> {
  const text = crypto.randomUUID()
  const path = `client-1/v1/titles/level.txt`
  const init = { method: 'PUT', headers: access, body: text }
  const written = await fetch(`${url}/api/storage/${path}`, init).catch(() => undefined)
  if (written?.status !== 201) return false
  const served = await fetch(`${url}/${path}`).catch(() => undefined)
  return (await served?.text()) === text
}
