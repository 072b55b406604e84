import { compare, report } from './harness.ts'

/** What counting costs the edge, and a line for each request: requests for each second of the server's CPU time. */
const rounds = 21
const requestsPerRound = 40_000
const sockets = 4
const pipelined = 25
const deadlineMs = 60_000

interface Server extends Disposable {
  readonly port: number
}

async function start(mode: 'on' | 'off' | 'lines'): Promise<Server> {
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

const cpuMicroseconds = async ({ port }: Server): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${port}/cpu`)).text())

/** Sends batches one after another and waits for all bytes of each. */
async function load({ port }: Server, requests: number, responseBytes: number): Promise<void> {
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
async function responseSize({ port }: Server): Promise<number> {
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

async function round(server: Server, responseBytes: number): Promise<number> {
  const before = await cpuMicroseconds(server)
  const each = requestsPerRound / sockets
  await Promise.all(Array.from({ length: sockets }, () => load(server, each, responseBytes)))
  return requestsPerRound / (((await cpuMicroseconds(server)) - before) / 1e6)
}

using on = await start('on')
using off = await start('off')
using lines = await start('lines')
for (const server of [on, off, lines]) {
  await responseSize(server)
  for (let asset = 0; asset < 1_000; asset += 1) {
    const path = /GET (\S+)/u.exec(requestFor(asset))?.[1] ?? ''
    await (await fetch(`http://127.0.0.1:${server.port}${path}`)).arrayBuffer()
  }
}
const bytes = { on: await responseSize(on), off: await responseSize(off) }
for (const [server, size] of [
  [on, bytes.on],
  [off, bytes.off],
  [lines, bytes.on],
] as const)
  await round(server, size)
const ratios = await compare({
  title: 'Counting (requests per CPU-second of the server)',
  ours: { name: 'tap on', run: () => round(on, bytes.on) },
  peers: [
    { name: 'tap off', run: () => round(off, bytes.off) },
    { name: 'with lines', run: () => round(lines, bytes.on) },
  ],
  rounds,
})
const costOfLines = (ratios.get('with lines') ?? Number.NaN) - 1
const cost = 1 - (ratios.get('tap off') ?? Number.NaN)
await report('counting', [
  {
    what: 'cost of counting, of the edge’s requests per CPU-second (1 KB assets, 25 pipelined)',
    figure: '≤ 5 %',
    measured: `${(cost * 100).toFixed(1)} %`,
  },
  {
    what: 'cost of the request log beside counting, 1,000 lines a second kept',
    figure: '≤ 2 %',
    measured: `${(costOfLines * 100).toFixed(1)} %`,
  },
])
