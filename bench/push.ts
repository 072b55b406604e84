/**
 * `git push` of icons until they are served, against a push of the same files to a plain repository behind
 * `git http-backend`, which publishes nothing; and how long the loop of the service stands still while
 * thousands of files are pushed. The service is in this process, git is not.
 */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runGit } from '../test/support/git-client.ts'
import { type LocalService, openLocalService } from '../test/support/local-service.ts'
import { testKeys } from '../test/support/service-process.ts'
import { worldOf } from '../test/support/world.ts'
import { asInProduction, compare, median, report } from './harness.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const iconCount = Number(process.env['ICONS'] ?? 1_000)
const manyCount = Number(process.env['MANY'] ?? 20_000)

const iconOf = (round: number, index: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M${index % 24} ${round % 24}h1v${index % 9}z"/><title>${round} ${index}</title></svg>`

/** One commit with that many new files. */
async function commitIcons(clone: string, round: number, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const directory = join(clone, `clients/acme/v1/icons/${round}/${index % 100}`)
    if (index < 100) await mkdir(directory, { recursive: true })
    await writeFile(join(directory, `icon-${index}.svg`), iconOf(round, index))
  }
  await runGit(clone, 'add', '-A')
  await runGit(clone, 'commit', '-q', '-m', `Add ${count} icons`)
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** A plain repository over HTTP, as git itself serves it. */
function serveRepository(root: string): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const child = Bun.spawn(['git', 'http-backend'], {
        env: {
          PATH: process.env['PATH'] ?? '',
          GIT_PROJECT_ROOT: root,
          GIT_HTTP_EXPORT_ALL: '1',
          REMOTE_USER: 'x',
          PATH_INFO: pathname,
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: request.method,
          CONTENT_TYPE: request.headers.get('content-type') ?? '',
          HTTP_CONTENT_ENCODING: request.headers.get('content-encoding') ?? '',
          GIT_PROTOCOL: request.headers.get('git-protocol') ?? '',
        },
        stdin: new Uint8Array(await request.arrayBuffer()),
        stdout: 'pipe',
        stderr: 'ignore',
      })
      const output = Buffer.from(await new Response(child.stdout).arrayBuffer())
      const end = output.indexOf('\r\n\r\n')
      const lines = output.toString('latin1', 0, end).split('\r\n')
      const headers = lines.map((line) => line.split(': ') as [string, string])
      const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200)
      return new Response(output.subarray(end + 4), { status, headers })
    },
  })
}

/** Nanoseconds that the thread of the loop has had of a processor: what others of the machine take is not in it. */
const threadNs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0])

/** The longest time between two turns of the loop while work goes on: of the clock, and of the thread's own. */
async function stallsDuring(work: () => Promise<unknown>) {
  const stalls: { wallMs: number; ownMs: number }[] = []
  let last = { at: performance.now(), ns: threadNs() }
  const timer = setInterval(() => {
    const now = { at: performance.now(), ns: threadNs() }
    stalls.push({ wallMs: now.at - last.at, ownMs: (now.ns - last.ns) / 1e6 })
    last = now
  }, 1)
  await work()
  await Bun.sleep(1000)
  clearInterval(timer)
  const longest = (of: 'wallMs' | 'ownMs') => Math.max(...stalls.map((each) => each[of]))
  return { wallMs: longest('wallMs'), ownMs: longest('ownMs') }
}

interface Places {
  readonly service: LocalService
  readonly clone: string
  readonly plain: string
}

async function openPlaces(directory: string, service: LocalService, peer: URL): Promise<Places> {
  await worldOf(service).zone('acme')
  const url = `${service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`
  const [clone, plain] = [join(directory, 'clone'), join(directory, 'plain')]
  await runGit(directory, 'clone', '-q', url, clone)
  await runGit(directory, 'init', '-q', '--bare', '-b', 'main', join(directory, 'root/plain.git'))
  const settings = {
    'http.receivepack': 'true',
    'core.fsync': 'all',
    'transfer.fsckobjects': 'true',
  }
  for (const [name, value] of Object.entries(settings))
    await runGit(join(directory, 'root/plain.git'), 'config', name, value)
  await runGit(directory, 'clone', '-q', clone, plain)
  await runGit(plain, 'remote', 'set-url', 'origin', `${peer.href}plain.git`)
  await runGit(plain, 'push', '-q', 'origin', 'HEAD:main')
  return { service, clone, plain }
}

async function main(directory: string): Promise<void> {
  await using service = await openLocalService({
    dataDirectory: join(directory, 'data'),
    environment: { ...asInProduction, PUSHES_PER_MINUTE: '100000' },
  })
  const peer = serveRepository(join(directory, 'root'))
  const { clone, plain } = await openPlaces(directory, service, peer.url)
  const untilServed: number[] = []
  const ratios = await compare({
    title: `push of ${iconCount} icons (seconds)`,
    ours: {
      name: 'until they are served',
      async run(round) {
        await commitIcons(clone, round, iconCount)
        const seconds = await secondsOf(() => runGit(clone, 'push', '-q', 'origin', 'HEAD:main'))
        const last = `${service.url}/acme/v1/icons/${round}/${(iconCount - 1) % 100}/icon-${iconCount - 1}.svg`
        if ((await (await fetch(last)).text()) !== iconOf(round, iconCount - 1))
          throw new Error(`${last} is not served`)
        untilServed.push(seconds)
        return seconds
      },
    },
    peers: [
      {
        name: 'git http-backend, nothing published',
        async run(round) {
          await commitIcons(plain, round, iconCount)
          return await secondsOf(() => runGit(plain, 'push', '-q', 'origin', 'HEAD:main'))
        },
      },
    ],
    rounds,
  })
  await commitIcons(clone, rounds, manyCount)
  let manySeconds = 0
  const { wallMs, ownMs } = await stallsDuring(async () => {
    manySeconds = await secondsOf(() => runGit(clone, 'push', '-q', 'origin', 'HEAD:main'))
  })
  const idle = await stallsDuring(() => Bun.sleep(5000))
  peer.stop(true)
  await report('push', [
    {
      what: `push of ${iconCount} icons until they are served, median of ${rounds}`,
      figure: '≤ 3 s',
      measured: `${median(untilServed).toFixed(2)} s`,
    },
    {
      what: 'the same against `git http-backend` with its objects checked and flushed, which publishes nothing',
      figure: '',
      measured: `${[...ratios.values()][1]?.toFixed(2)}x`,
    },
    {
      what: `longest stall of the event loop during a push of ${manyCount} files (${manySeconds.toFixed(0)} s): what its thread worked at a stretch`,
      figure: '≤ 100 ms',
      measured: `${ownMs.toFixed(0)} ms`,
    },
    {
      what: `the same by the clock; while nothing was done at all on this machine: ${idle.wallMs.toFixed(0)} ms`,
      figure: '',
      measured: `${wallMs.toFixed(0)} ms`,
    },
  ])
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-push-'))
try {
  await main(directory)
} finally {
  await rm(directory, { recursive: true, force: true })
}
