import { afterAll, beforeAll, expect, test } from 'bun:test'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { codeBlocks } from '../support/code-blocks.ts'
import { curl, have, openssl } from '../support/needs.ts'
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
  const keys = Object.fromEntries(Object.keys(testKeys).map((name) => [name, '']))
  service = undo.use(
    await startService({ dataDirectory: join(directory, 'data'), environment: keys }),
  )
}, 60_000)
afterAll(() => undo.disposeAsync())

/** Each goes on where the ones before it ended, as a reader does. */
const pages = [
  'quick-start.md',
  'storing.md',
  'files.md',
  'uploads.md',
  'delivery.md',
  'deploy.md',
  'images.md',
  'named-transforms.md',
  'images-of-files.md',
  'search.md',
  'rules.md',
  'purging.md',
  'webhooks.md',
  'insights.md',
  'access.md',
  'erasing.md',
  'git.md',
]

/** Whatever fails ends the script; `npx sedge` is the one of this directory. */
const prelude = `
set -eu
npx() { shift; "$BUN" "$SEDGE" "$@"; }
body='{}' WEBHOOK_SECRET=secret
`

async function runPage(file: string) {
  const keys = (await codeBlocks('docs/quick-start.md')).find(({ code }) => code.includes('_KEY='))
  const blocks = (await codeBlocks(file)).filter(({ language }) => language === 'sh')
  const commands = blocks.map(({ code }) => code).filter((code) => !code.startsWith('npm ci'))
  const script = [prelude, keys?.code, ...commands]
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

async function expectToRun(file: string): Promise<void> {
  const { commands, out, error, exitCode } = await runPage(file)
  const said = exitCode === 0 ? '' : `${out.slice(-2000)}\n${error.slice(-2000)}`

  expect({ exitCode, said }).toEqual({ exitCode: 0, said: '' })
  expect(commands).toBeGreaterThan(0)
}

for (const page of pages)
  test.skipIf(!isAble)(
    `the commands of ${page} run as they are pasted`,
    () => expectToRun(`docs/${page}`),
    60_000,
  )
