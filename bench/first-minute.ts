/**
 * From nothing to an image in a browser, as the README says it: clone, install, start, store a file, and
 * Chromium shows it as AVIF. Nothing is in npm's cache, nothing is set but a port. The clone is from this
 * machine; what the network does to it is not measured, what it does to `npm ci` is.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { findChromium, launchChromium } from '../test/browser/chromium.ts'
import { codeBlocks } from '../test/support/code-blocks.ts'
import { freePort } from '../test/support/free-port.ts'
import { startProcessGroup } from '../test/support/process-group.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'
import { report, type Row } from './harness.ts'

const executable = findChromium('bench/first-minute')
if (executable === undefined) process.exit(1)

await using directory = await temporaryDirectory()
const clone = join(directory.path, 'sedge')
const home = join(directory.path, 'home')
await mkdir(home)
const port = String(await freePort())
const env = { PATH: process.env['PATH'] ?? '', HOME: home, PORT: port }
const blocks = (await codeBlocks('README.md')).map(({ code }) => code.trim())
const start = blocks.find((code) => code.startsWith('npm ci && ')) ?? ''
const store = blocks.find((code) => code.startsWith('npx sedge zones create')) ?? ''
const page = (await Bun.file(join(import.meta.dir, '..', 'README.md')).text()).match(
  /<(http:\/\/localhost:8788\/api\/transform\?\S+)>/u,
)?.[1]
if (start === '' || store === '' || page === undefined)
  throw new Error('the README has not the shortest way to a picture any more')

const beginning = performance.now()
const steps: { readonly what: string; readonly seconds: number }[] = []
let former = beginning
function done(what: string): void {
  const now = performance.now()
  steps.push({ what, seconds: (now - former) / 1000 })
  former = now
}

async function run(words: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...words], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')} failed`)
}

await run(['git', 'clone', '--quiet', join(import.meta.dir, '..'), clone], directory.path)
done('`git clone`')
const [install = '', serve = ''] = start.split(' && ')
await run(['sh', '-c', install], clone)
done(`\`${install}\``)
await using _service = await startProcessGroup(
  ['sh', '-c', serve],
  { cwd: clone, env },
  /ready at/u,
)
done(`\`${serve}\`, until it is ready`)
await run(['sh', '-c', store], clone)
done(`\`${store}\``)
const browser = await launchChromium(executable)
done('Chromium starts')
const tab = await browser.newPage()
const shown = await tab.goto(page.replace(':8788', `:${port}`))
const type = shown?.headers()['content-type']
const width = await tab.evaluate('document.images[0]?.naturalWidth')
if (type !== 'image/avif' || typeof width !== 'number' || width === 0)
  throw new Error(`the browser shows no AVIF but ${type}, ${String(width)} wide`)
done('the picture, made and shown')
await browser.close()

const seconds = (former - beginning) / 1000
const rows: Row[] = [
  { what: 'commands from nothing to an AVIF in a browser', figure: '≤ 3', measured: '3' },
  { what: 'seconds', figure: '≤ 60', measured: seconds.toFixed(1) },
  ...steps.map(({ what, seconds: taken }) => ({
    what,
    figure: '—',
    measured: `${taken.toFixed(1)} s`,
  })),
]
await report('first-minute', rows)
