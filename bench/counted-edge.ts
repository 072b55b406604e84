import { compare } from './harness.ts'

const requestsPerRound = 40_000
const sockets = 4
const pipelined = 25
const deadlineMs = 60_000

interface CountedEdge extends Disposable {
  readonly port: number
}

/** An edge with 1,000 assets in a process of its own; see `counting-server.ts`. */
async function start(mode: Mode): Promise<CountedEdge> {
  const file = new URL('counting-server.ts', import.meta.url).pathname
  const child = Bun.spawn([process.execPath, file, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { value } = await child.stdout.getReader().read()
  return {
    port: Number(new TextDecoder().decode(value)),
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
}

const requestFor = (asset: number): string =>
  `GET /acme/v1/icons/${String(asset % 1_000).padStart(4, '0')}.bin HTTP/1.1\r\nHost: localhost\r\n\r\n`

const batches = Array.from({ length: 40 }, (_, batch) =>
  Array.from({ length: pipelined }, (_each, place) => requestFor(batch * pipelined + place)).join(
    '',
  ),
)

const cpuMicroseconds = async ({ port }: CountedEdge): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${port}/cpu`)).text())

/** Sends batches one after another and waits for all bytes of each. */
async function load({ port }: CountedEdge, requests: number, responseBytes: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('the server does not answer')), deadlineMs)
  let sent = 0
  let received = 0
  const next = (socket: { write(text: string): number }) => {
    if (sent >= requests) return resolve()
    socket.write(batches[(sent / pipelined) % batches.length] ?? '')
    sent += pipelined
  }
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: next,
      data(opened, data) {
        received += data.byteLength
        if (received >= sent * responseBytes) next(opened)
      },
      error: (_, error) => reject(error),
    },
  })
  await promise.finally(() => clearTimeout(timer))
  socket.end()
}

/** The bytes of one whole response; every asset's is as long. */
async function responseSize({ port }: CountedEdge): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  let received = 0
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (opened) => void opened.write(requestFor(1)),
      data: (_, data) => void (received += data.byteLength),
      close: () => resolve(received),
    },
  })
  await Bun.sleep(300)
  socket.end()
  return await promise
}

/** Requests for each second of the server's CPU time. */
async function round(server: CountedEdge, responseBytes: number): Promise<number> {
  const before = await cpuMicroseconds(server)
  const each = requestsPerRound / sockets
  await Promise.all(Array.from({ length: sockets }, () => load(server, each, responseBytes)))
  return requestsPerRound / (((await cpuMicroseconds(server)) - before) / 1e6)
}

/** As it is once everything was asked for. */
async function startWarm(mode: Mode): Promise<CountedEdge> {
  const server = await start(mode)
  await responseSize(server)
  for (let asset = 0; asset < 1_000; asset += 1) {
    const path = /GET (\S+)/u.exec(requestFor(asset))?.[1] ?? ''
    await (await fetch(`http://127.0.0.1:${server.port}${path}`)).arrayBuffer()
  }
  return server
}

type Mode = 'on' | 'off' | 'lines'

interface Costs {
  /** Of counting, as a part of the requests for each second of CPU time without it. */
  readonly counting: number
  /** Of a line for each request beside counting, likewise. */
  readonly lines: number
}

/** Each round has all three in turn. */
export async function costsOfCounting({ rounds }: { readonly rounds: number }): Promise<Costs> {
  using on = await startWarm('on')
  using off = await startWarm('off')
  using lines = await startWarm('lines')
  const bytes = { on: await responseSize(on), off: await responseSize(off) }
  const runs = {
    on: () => round(on, bytes.on),
    off: () => round(off, bytes.off),
    lines: () => round(lines, bytes.on),
  }
  for (const run of Object.values(runs)) await run()
  const ratios = await compare({
    title: 'Counting (requests per CPU-second of the server)',
    ours: { name: 'tap on', run: runs.on },
    peers: [
      { name: 'tap off', run: runs.off },
      { name: 'with lines', run: runs.lines },
    ],
    rounds,
  })
  return {
    counting: 1 - (ratios.get('tap off') ?? Number.NaN),
    lines: (ratios.get('with lines') ?? Number.NaN) - 1,
  }
}
