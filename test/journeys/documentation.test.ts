import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import {
  asCommands,
  doneBefore,
  type FencedBlock,
  fencedBlocks,
  pagesThatRun,
  usesClient,
} from '../support/documented-code.ts'
import { curl, ffmpeg, have, openssl } from '../support/needs.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'

const isAble = have('the commands of the documentation', curl, openssl)
const root = join(import.meta.dir, '..', '..')
const undo = new AsyncDisposableStack()
let directory: string
let service: ServiceProcess

/** The keys are those that the first start makes. The README is followed in `front-door.test.ts`. */
beforeAll(async () => {
  if (!isAble) return
  directory = undo.use(await temporaryDirectory()).path
  await symlink(join(root, 'web'), join(directory, 'web'))
  await mkdir(join(directory, 'node_modules'))
  await symlink(root, join(directory, 'node_modules', 'sedge'))
  const keys = Object.fromEntries(Object.keys(testKeys).map((name) => [name, '']))
  service = undo.use(
    await startService({ dataDirectory: join(directory, 'data'), environment: keys }),
  )
}, 60_000)
afterAll(() => undo.disposeAsync(), 30_000)

/** Whatever fails ends the script; `npx sedge` is the one of this directory. */
const prelude = `
set -eu
npx() { shift; "$BUN" "$SEDGE" "$@"; }
body='{}' WEBHOOK_SECRET=secret
`

async function runPage(file: string, isMeant: (block: FencedBlock) => boolean) {
  const keys = (await fencedBlocks('quick-start.md')).find(({ code }) => code.includes('_KEY='))
  const blocks = (await fencedBlocks(file)).filter(({ code }) => !code.startsWith('npm ci'))
  const commands = blocks
    .filter(isMeant)
    .map(asCommands)
    .filter((code) => code !== undefined)
  const script = [prelude, keys?.code, doneBefore[file], ...commands]
    .join('\n')
    .replaceAll(/(?:127\.0\.0\.1|localhost):8788/gu, new URL(service.url).host)
  const child = Bun.spawn(['bash', '-c', script], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: directory,
      BUN: process.execPath,
      SEDGE: join(root, 'src', 'cli', 'main.ts'),
      SEDGE_URL: service.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { commands: commands.length, out, error, exitCode }
}

async function expectToRun(
  file: string,
  isMeant: (block: FencedBlock) => boolean = () => true,
): Promise<void> {
  const { commands, out, error, exitCode } = await runPage(file, isMeant)
  const said = exitCode === 0 ? '' : `${out.slice(-2000)}\n${error.slice(-2000)}`

  expect({ exitCode, said }).toEqual({ exitCode: 0, said: '' })
  expect(commands).toBeGreaterThan(0)
}

/** Each goes on where the ones before it ended, as a reader does. */
for (const page of pagesThatRun)
  test.skipIf(!isAble)(
    `the commands of ${page} run as they are pasted`,
    () => expectToRun(page),
    60_000,
  )

for (const page of ['client.md', 'README.md'])
  test.skipIf(!isAble)(
    `the programs of ${page} run as they are pasted`,
    () => expectToRun(page, ({ language }) => language === 'js'),
    60_000,
  )

test.skipIf(!isAble || !have('how a video is encoded', ffmpeg))(
  'the commands about videos run as they are pasted, and one is streamed in both qualities',
  async () => {
    await expectToRun('embed-video.md')
    await expectToRun('video.md')
    const playlist = await fetch(`${service.url}/api/stream?path=acme/v1/videos/film.mp4`)
    expect(await playlist.text()).toMatch(/quality=360p[^]*quality=source/u)
  },
  60_000,
)

test.skipIf(!isAble)(
  'the ways to have a URL signed by the service run as they are pasted',
  () =>
    expectToRun(
      'signed-urls.md',
      (block) => usesClient(block) || /^(?:curl|npx) /u.test(block.code),
    ),
  60_000,
)

/** What is rotated counts at the next start, so it is the last. */
test.skipIf(!isAble)(
  'the commands of rotate-keys.md run as they are pasted',
  () => expectToRun('rotate-keys.md'),
  60_000,
)
