import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

import { codeBlocks } from '../support/code-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { freshClone, git } from '../support/fresh-clone.ts'
import { curl, gitCheckout, have } from '../support/needs.ts'
import { startProcessGroup } from '../support/process-group.ts'
import { temporaryDirectory } from '../support/service-process.ts'

/**
 * What somebody meets who clones Sedge and follows the README and the quick start to the letter, with no
 * setting but a port. Where a test sets something else, it does not see what they see.
 */
const isAble = have('the README and the quick start as printed', curl, gitCheckout)
const undo = new AsyncDisposableStack()
let clone: string
let environment: Record<string, string>
let service: Awaited<ReturnType<typeof startProcessGroup>>

beforeAll(async () => {
  if (!isAble) return
  const directory = undo.use(await temporaryDirectory()).path
  clone = join(directory, 'Klön für alle')
  await freshClone(clone)
  await mkdir(join(directory, 'home'))
  const port = String(await freePort())
  environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(directory, 'home'),
    PORT: port,
  }
  const [first] = await codeBlocks('README.md')
  // What it installs is there already; that it installs is a step of .ci/run.
  const [install, start = ''] = (first?.code.trim() ?? '').split(' && ')
  expect(install).toBe('npm ci')
  service = undo.use(
    await startProcessGroup(['sh', '-c', start], { cwd: clone, env: environment }, /ready at \S+/u),
  )
}, 60_000)
afterAll(() => undo.disposeAsync())

/** Runs the shell blocks of a page after the one that starts the service; answers what they print. */
async function follow(page: string): Promise<string> {
  const blocks = (await codeBlocks(page)).filter(({ language }) => language === 'sh')
  const [start, ...rest] = blocks.map(({ code }) => code)
  expect(start).toStartWith('npm ci && npm start')
  const script = ['set -eu', ...rest]
    .join('\n')
    .replaceAll('localhost:8788', `localhost:${environment['PORT']}`)
  const child = Bun.spawn(['bash', '-c', script], {
    cwd: clone,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect({ page, exitCode: await child.exited, error: error.replace(importProgress, '') }).toEqual({
    page,
    exitCode: 0,
    error: '',
  })
  return out
}

/** What `sedge import` tells of its progress where nobody looks at a terminal. */
const importProgress = /^(?:storing|comparing|reading).*\n/gmu

const inClone = (...path: readonly string[]): string => join(clone, ...path)
const commitsOf = async (repository: string): Promise<number> =>
  Number(await git('-C', inClone(repository), 'rev-list', '--count', 'HEAD'))
const delivered = async (path: string): Promise<Uint8Array> =>
  await (await fetch(`http://localhost:${environment['PORT']}/${path}`)).bytes()

async function expectImage(file: string, wanted: object): Promise<void> {
  const image = sharp(inClone(file))
  const { format, compression, width, height } = await image.metadata()
  expect({ format, compression, width, height }).toMatchObject(wanted)
  // It decodes to its end, and something is on it.
  const { isOpaque, channels } = await image.stats()
  expect(isOpaque && channels.every(({ stdev }) => stdev === 0)).toBe(false)
}

test.skipIf(!isAble)(
  'the README does what it says, as it is printed',
  async () => {
    const out = await follow('README.md')

    expect(out).toContain('"Message":"Zone \\"demo\\" created"')
    expect(out).toContain('"Message":"File uploaded"')
    expect(out).toContain('HTTP/1.1 200 OK')
    expect(out).toContain('\n200 image/avif\n')
    const source = await Bun.file(inClone('web/site/icon.svg')).bytes()
    for (const zone of ['first', 'demo'])
      expect(await delivered(`${zone}/v1/logos/logo.svg`)).toEqual(source)
    const readme = await Bun.file(inClone('README.md')).text()
    const [, shown = ''] = /<http:\/\/localhost:8788\/(api\/transform\S+)>/u.exec(readme) ?? []
    expect(await sharp(await delivered(shown)).metadata()).toMatchObject({
      compression: 'av1',
      width: 256,
    })
    await expectImage('playground/small.avif', { format: 'heif', compression: 'av1', width: 64 })
    expect(await commitsOf('playground/repository')).toBeGreaterThanOrEqual(2)
    const committed = inClone('playground/repository/clients/demo/v1/logos/logo.svg')
    expect(await Bun.file(committed).bytes()).toEqual(source)
  },
  120_000,
)

test.skipIf(!isAble)(
  'the quick start does what it says, as it is printed, after the README',
  async () => {
    const out = await follow('docs/quick-start.md')

    expect(out).toContain('"Message":"Zone \\"acme\\" created"')
    expect(out).toContain('\n200 image/webp, ')
    // Both ways of finding it found it.
    expect(out.match(/^\{.*"path":"acme\/v1\/logos\/logo\.svg".*\}$/gmu)).toHaveLength(2)
    expect(out).toContain('2 files in zone "acme", all checksums agree')
    const source = await Bun.file(inClone('playground/logo.svg')).bytes()
    for (const path of ['logos/logo.svg', 'icons/green.svg', 'icons/round.svg'])
      expect(await delivered(`acme/v1/${path}`)).toEqual(source)
    await expectImage('playground/small.webp', { format: 'webp', width: 128, height: 128 })
    expect(await commitsOf('playground/acme-files')).toBeGreaterThanOrEqual(4)
    const committed = inClone('playground/acme-files/clients/acme/v1/icons/round.svg')
    expect(await Bun.file(committed).bytes()).toEqual(source)
  },
  120_000,
)

test.skipIf(!isAble)('nothing is left behind, and nothing was logged as an error', async () => {
  expect(await git('-C', clone, 'status', '--porcelain')).toBe('')
  expect(existsSync(inClone('data', 'repository.git'))).toBe(true)
  expect(service.output()).not.toMatch(/"level":"(?:warn|error)"/u)
})
