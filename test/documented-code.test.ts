import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { Glob } from 'bun'

import {
  asCommands,
  doneBefore,
  type FencedBlock,
  fencedBlocks,
  notRun,
  onlyRead,
  pagesThatRun,
  runElsewhere,
  usesClient,
} from './support/documented-code.ts'
import { temporaryDirectory } from './support/service-process.ts'

const root = join(import.meta.dir, '..')
const pages = ['README.md', ...[...new Glob('*.md').scanSync(join(root, 'docs'))].toSorted()]
const blocks = (await Promise.all(pages.map(fencedBlocks))).flat()

const runsOnItsPage: ReadonlySet<string> = new Set([
  ...pagesThatRun,
  ...Object.keys(doneBefore),
  'rotate-keys.md',
  'signed-urls.md',
])

const keyOf = ({ page, language }: FencedBlock): string => `${page} ${language}`.trim()

/** Who sees to a block: one of the lists of `documented-code.ts`, or nobody. */
function seenTo(block: FencedBlock): string | undefined {
  const key = keyOf(block)
  if (Object.hasOwn(runElsewhere, key) && !usesClient(block)) return 'runs elsewhere'
  if (runsOnItsPage.has(block.page) && asCommands(block, 0) !== undefined) return 'runs'
  if (Object.hasOwn(runElsewhere, key)) return 'runs elsewhere'
  if (Object.hasOwn(notRun, key)) return 'not run'
  return onlyRead.includes(key) ? 'only read' : undefined
}

/** Each further one needs a reason that would convince somebody who reviews it. */
const maxNotRun = 22

test('each block of code of every page is run by a test, or says why not', () => {
  const nobody = blocks.filter((block) => seenTo(block) === undefined).map(keyOf)
  expect([...new Set(nobody)]).toEqual([])
  for (const [key, reason] of Object.entries(notRun)) console.log(`not run: ${key}: ${reason}`)
  expect(Object.keys(notRun).length).toBeLessThanOrEqual(maxNotRun)
})

test('the lists name blocks that are there, and tests that are', () => {
  const keys = new Set(blocks.map(keyOf))
  for (const key of [...Object.keys(runElsewhere), ...Object.keys(notRun), ...onlyRead])
    expect({ key, isThere: keys.has(key) }).toEqual({ key, isThere: true })
  for (const file of Object.values(runElsewhere))
    expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: true })
})

test('what is only read has no commands of ours in it', () => {
  for (const block of blocks.filter((each) => seenTo(each) === 'only read'))
    expect({ block: keyOf(block), command: /^(?:npx |sedge |curl )/mu.test(block.code) }).toEqual({
      block: keyOf(block),
      command: false,
    })
})

const settings = {
  compilerOptions: {
    strict: true,
    strictNullChecks: false,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    noImplicitAny: false,
    target: 'ESNext',
    module: 'Preserve',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    lib: ['ESNext', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: ['bun-types'],
    typeRoots: [join(root, 'node_modules')],
    paths: { sedge: [join(root, 'client/sedge.d.ts')] },
  },
  include: ['*.mjs'],
}

test('every program that uses the client has the types that the client has', async () => {
  await using directory = await temporaryDirectory()
  await Bun.write(join(directory.path, 'tsconfig.json'), JSON.stringify(settings))
  const programs = blocks.filter(usesClient)
  for (const [place, { page, code }] of programs.entries())
    await Bun.write(join(directory.path, `${page}-${place}.mjs`), code)
  const checked = Bun.spawnSync([process.execPath, 'check', '--no-script', '--no-pretty'], {
    cwd: directory.path,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said =
    checked.exitCode === 0 ? '' : `${checked.stdout.toString()}${checked.stderr.toString()}`

  expect(programs.length).toBeGreaterThan(8)
  expect(said).toBe('')
}, 60_000)
