import { readdir, readFile, readlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'

import type { Need } from './needs.ts'

export const sharedPorts: Need = {
  what: 'Linux',
  howToGetIt: 'processes share a port there alone',
  isThere: () => process.platform === 'linux',
}

export interface Response {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** One connection that stays open, and so stays with the process that took it. */
export interface Connection extends Disposable {
  readonly localPort: number
  ask(request: RawRequest): Promise<Response>
  /** Answers with all that came, once it matches. The connection is of no use afterwards. */
  listen(request: RawRequest, wanted: RegExp): Promise<string>
}

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

const answerWithinMs = 15_000

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1' })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve()).once('error', reject)
  })
  // An error is told to whoever waits for a response, by the close that follows it.
  socket.on('error', () => undefined)
  return {
    localPort: socket.localPort ?? 0,
    async ask(request) {
      const response = readUntil(socket, (received) => parseResponse(received, request.method))
      send(socket, port, request)
      return await response
    },
    async listen(request, wanted) {
      const text = readUntil(socket, (received) =>
        wanted.test(received.toString()) ? received.toString() : undefined,
      )
      send(socket, port, request)
      return await text
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

function send(socket: Socket, port: number, request: RawRequest): void {
  const { method = 'GET', path, headers = {}, body } = request
  const length = body === undefined ? {} : { 'Content-Length': String(body.length) }
  const fields = Object.entries({ Host: `127.0.0.1:${port}`, ...length, ...headers })
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  if (body !== undefined) socket.write(body)
}

async function readUntil<T>(
  socket: Socket,
  parse: (received: Buffer) => T | undefined,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let received = Buffer.alloc(0)
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    const parsed = parse(received)
    if (parsed !== undefined) resolve(parsed)
  }
  const onClose = () => reject(new Error('the connection was closed before the answer'))
  const timer = setTimeout(() => reject(new Error('no answer in time')), answerWithinMs)
  socket.on('data', onData).on('close', onClose)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    socket.off('data', onData).off('close', onClose)
  }
}

/** Of those with Content-Length, which are all that small bodies need. */
function parseResponse(received: Buffer, method = 'GET'): Response | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const status = Number(first.split(' ')[1])
  const isEmpty = method === 'HEAD' || status === 304
  const length = isEmpty ? 0 : Number(headers.get('content-length') ?? 0)
  const body = received.subarray(end + 4)
  return body.length < length ? undefined : { status, headers, body: body.subarray(0, length) }
}

/** The edge workers of a service. */
export async function workersOf(pid: number): Promise<readonly number[]> {
  const workers: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/u.test(name)) continue
    const [status, words] = await Promise.all(
      ['status', 'cmdline'].map((file) =>
        readFile(`/proc/${name}/${file}`, 'utf8').catch(() => ''),
      ),
    )
    if (status?.includes(`\nPPid:\t${pid}\n`) === true && words?.includes('edge-worker') === true)
      workers.push(Number(name))
  }
  return workers
}

/** Whether nothing of a process runs any more; nobody may have waited for it yet (a zombie). */
export async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat === undefined || /\) [ZX] /u.test(stat)
}

/** Whether its parent knows that it ended: only then are the sockets of all its threads closed. */
export const isReaped = async (pid: number): Promise<boolean> =>
  await readFile(`/proc/${pid}/stat`, 'utf8').then(
    () => false,
    () => true,
  )

/** Which of the processes holds the other end of each connection, by the connection's own port. */
export async function holders(
  pids: readonly number[],
  port: number,
): Promise<ReadonlyMap<number, number>> {
  const pidByInode = await socketHolders(pids)
  const table = await readFile('/proc/net/tcp', 'utf8')
  const pidByClientPort = new Map<number, number>()
  for (const line of table.split('\n').slice(1)) {
    const [, local, remote, , , , , , , inode = ''] = line.trim().split(/\s+/u)
    const pid = pidByInode.get(inode)
    if (pid !== undefined && portOf(local) === port) pidByClientPort.set(portOf(remote), pid)
  }
  return pidByClientPort
}

const portOf = (address: string | undefined): number =>
  Number.parseInt(address?.split(':')[1] ?? '', 16)

async function socketHolders(pids: readonly number[]): Promise<ReadonlyMap<string, number>> {
  const pidByInode = new Map<string, number>()
  for (const pid of pids)
    for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const link = await readlink(`/proc/${pid}/fd/${name}`).catch(() => '')
      const inode = /^socket:\[(\d+)\]$/u.exec(link)?.[1]
      if (inode !== undefined) pidByInode.set(inode, pid)
    }
  return pidByInode
}

export interface SharedService {
  readonly pid: number
  readonly url: string
}

const joinedWithinMs = 20_000

/** One open connection to the main process and to each of `workerCount` workers, by process id. */
export async function connectToEach(
  service: SharedService,
  workerCount: number,
): Promise<ReadonlyMap<number, Connection>> {
  const port = Number(new URL(service.url).port)
  const deadline = performance.now() + joinedWithinMs
  const found = new Map<number, Connection>()
  while (found.size < workerCount + 1) {
    if (performance.now() > deadline)
      throw new Error(`${found.size} of ${workerCount + 1} processes answer in time`)
    const connection = await openConnection(port)
    // Only what has been answered is certain to have been taken.
    await connection.ask({ path: '/api/health' })
    const pids = [service.pid, ...(await workersOf(service.pid))]
    const pid = (await holders(pids, port)).get(connection.localPort)
    if (pid === undefined || found.has(pid)) connection[Symbol.dispose]()
    else found.set(pid, connection)
  }
  return found
}
