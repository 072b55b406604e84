import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, readdir, realpath, stat, statfs, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'

import { visitDashboard } from '../browser/dashboard-visit.ts'
import { findChromium, launchChromium } from '../browser/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { have, type Need, strace } from '../support/needs.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dir, '..', '..')
const free = await statfs(tmpdir())
const room: Need = {
  what: 'room for an executable, 1 GB in the directory for temporary files',
  howToGetIt: 'TMPDIR=<a directory of a larger disk>',
  isThere: () => free.bavail * free.bsize > 2 ** 30,
}
const canBuild = have('the service as one file', room)
const canWatch = canBuild && have('what files the service as one file opens', strace)
const chromium = findChromium('the pages of the service as one file')
const undo = new AsyncDisposableStack()
let place: Place

interface Place {
  readonly executable: string
  /** Where it is started; nothing else is there. */
  readonly folder: string
  /** A directory that has git and nothing else. */
  readonly path: string
  readonly trace: string
  readonly url: string
  readonly child: Bun.Subprocess
}

beforeAll(async () => {
  if (canBuild) place = await buildAndStart()
}, 300_000)
afterAll(() => undo.disposeAsync())

async function buildAndStart(): Promise<Place> {
  const { path: directory } = undo.use(await temporaryDirectory())
  const at = (name: string) => join(directory, name)
  const executable = at('sedge')
  const build = Bun.spawn([process.execPath, join(root, 'scripts', 'executable.ts'), executable], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(await build.exited).toBe(0)
  await mkdir(at('empty'))
  await mkdir(at('path'))
  await symlink(Bun.which('git') ?? '', join(at('path'), 'git'))
  const places = { executable, folder: at('empty'), path: at('path'), trace: at('trace') }
  const watched = [Bun.which('strace') ?? '', '-f', '-qq', '--seccomp-bpf']
  const calls = ['-e', 'trace=open,openat,execve', '-o', places.trace]
  return { ...places, ...(await start(places, canWatch ? [...watched, ...calls] : [])) }
}

/** With no setting but its port and keys that are known. */
async function start(
  { executable, folder, path }: Pick<Place, 'executable' | 'folder' | 'path'>,
  under: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Pick<Place, 'url' | 'child'>> {
  const port = String(await freePort())
  const child = Bun.spawn([...under, executable, 'serve'], {
    cwd: folder,
    env: { PATH: path, PORT: port, ...testKeys, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  undo.defer(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/api/health`).catch(() => undefined))?.ok === true)
  return { url, child }
}

/** A command of the same file, on the same `PATH`. */
async function command(...words: readonly string[]) {
  const { executable, folder, path, url } = place
  const child = Bun.spawn([executable, ...words], {
    cwd: folder,
    env: { PATH: path, SEDGE_URL: url, ...testKeys },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { out, error, exitCode: await child.exited }
}

const banner = () =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: '#357' } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="640" height="360"><text x="40" y="200" font-size="80" font-family="Noto Sans">Lighthouse</text></svg>',
        ),
      },
    ])
    .png()
    .toBuffer()

const letters =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect width="200" height="60" fill="white"/><text x="10" y="40" font-size="30">Quay</text></svg>'

async function put(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const stored = await fetch(`${place.url}/api/storage/${path}`, {
    method: 'PUT',
    headers: access,
    body,
  })
  expect(stored.status).toBe(201)
}

test.skipIf(!canBuild)(
  'one file in an empty folder, with git alone beside it, stores images and makes others of them',
  async () => {
    const { url } = place
    const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
    expect((await fetch(`${url}/api/core/zones`, zone)).status).toBe(201)
    await put('acme/v1/banners/first.png', new Uint8Array(await banner()))
    await put('acme/v1/banners/harbour.svg', letters)

    for (const [format, decoded] of [
      ['webp', 'webp'],
      ['avif', 'heif'],
    ] as const) {
      const image = await fetch(
        `${url}/api/transform?url=/acme/v1/banners/first.png&w=320&format=${format}`,
      )
      expect(image.headers.get('content-type')).toBe(`image/${format}`)
      const { data, info } = await sharp(await image.bytes())
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(await sharp(await (await fetch(image.url)).bytes()).metadata()).toMatchObject({
        format: decoded,
      })
      expect(info).toMatchObject({ width: 320, height: 180 })
      expect(Math.abs((data[0] ?? 0) - 0x33)).toBeLessThan(6)
    }
    // Its own font is there: where none is, nothing is written.
    const written = await fetch(`${url}/api/transform?url=/acme/v1/banners/harbour.svg&format=png`)
    const { channels } = await sharp(await written.bytes()).stats()
    expect(channels[0]?.min).toBeLessThan(40)
  },
  60_000,
)

/** Not more often than one may search. */
const betweenSearchesMs = 1_000

test.skipIf(!canBuild)(
  'it finds assets by name, by meaning, and by what is written in them',
  async () => {
    const find = async (question: string): Promise<string> => {
      const words = new URLSearchParams({ q: question })
      const found = await fetch(`${place.url}/api/search?${words}`, { headers: access })
      await wait(betweenSearchesMs)
      return await found.text()
    }
    const isSure = async (question: string, name: string) =>
      new RegExp(`"name":"${name}"[^}]+"confidence":"high"`, 'u').test(await find(question))
    expect(await isSure('first', 'first.png')).toBe(true)
    await until(async () => await isSure('port for boats', 'harbour.svg'))
    await until(async () => await isSure('lighthouse', 'first.png'))
  },
  60_000,
)

test.skipIf(!canBuild)('its pages are those that a checkout bundles', async () => {
  const { url } = place
  for (const page of [
    '/',
    '/docs/concepts',
    '/docs/docs.js',
    '/docs/site.css',
    '/docs/fonts/latin.woff2',
    '/api/docs/scalar.js',
    '/dashboard/login',
    '/watch?path=/acme/v1/titles/f.mp4',
  ])
    expect(`${page} ${(await fetch(url + page)).status}`).toBe(`${page} 200`)
})

test.skipIf(!canBuild || chromium === undefined)(
  'a browser shows its dashboard and its documentation',
  async () => {
    await using browser = await launchChromium(chromium ?? '')
    await using visit = await visitDashboard(browser, place.url)
    const { page, faults } = visit
    await page.goto(`${place.url}/dashboard/assets`)
    await page.getByText('first.png').first().waitFor()
    await page.goto(`${place.url}/docs/concepts`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(faults).toEqual([])
  },
  90_000,
)

test.skipIf(!canBuild)('it is the command too', async () => {
  const { version } = (await Bun.file(join(root, 'package.json')).json()) as {
    readonly version: string
  }
  expect(await command('--version')).toEqual({ out: `sedge ${version}\n`, error: '', exitCode: 0 })
  expect((await command('--help')).out).toContain('sedge <command>')
  const listed = await command('ls', 'acme/v1/banners')
  expect(listed).toMatchObject({ exitCode: 0, error: '' })
  expect(listed.out).toContain('first.png')
  const health = await fetch(`${place.url}/api/health?deep=1`)
  expect(await health.json()).toMatchObject({ status: 'ok' })
})

test.skipIf(!canBuild)(
  'Ctrl-C ends it, nothing is left beside the data directory, and no file of a checkout was opened',
  async () => {
    const { child, folder, trace } = place
    const pid = Number(await Bun.file(join(folder, 'data', 'lock.pid')).text())
    process.kill(pid, 'SIGINT')
    expect(await child.exited).toBe(0)
    expect(await readdir(folder)).toEqual(['data'])
    if (!canWatch) return
    const opened = (await Bun.file(trace).text()).split('\n')
    expect(opened.length).toBeGreaterThan(100)
    const ours = [root, await realpath(join(root, 'node_modules'))]
    const ofCheckout = opened.filter((line) => ours.some((path) => line.includes(`"${path}/`)))
    expect(ofCheckout).toEqual([])
    const programs = opened.filter((line) => line.includes('execve(') && line.endsWith('= 0'))
    const others = programs.filter((line) => /"[^"]*\/(?:node|bun)[^/"]*"/u.test(line))
    expect(others).toEqual([])
  },
  60_000,
)

test.skipIf(!canBuild)(
  'started again it unpacks nothing, and processes of it deliver',
  async () => {
    const unpacked = join(place.folder, 'data', 'cache', 'program')
    const made = async () =>
      await Promise.all((await readdir(unpacked)).map((name) => stat(join(unpacked, name))))
    const before = await made()
    expect(before).toHaveLength(1)
    const { url, child } = await start(place, [], { EDGE_WORKERS: '1' })
    const delivered = await fetch(`${url}/acme/v1/banners/first.png`)
    expect(await delivered.bytes()).toEqual(new Uint8Array(await banner()))
    expect((await made()).map(({ ino }) => ino)).toEqual(before.map(({ ino }) => ino))
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
  },
  60_000,
)
