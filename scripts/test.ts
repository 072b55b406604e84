import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { have, postgres, s3Server } from '../test/support/needs.ts'
import { compiledServiceName } from '../test/support/service-command.ts'
import { compileService } from './test-run/compile-service.ts'
import { plan, type PlannedFile } from './test-run/plan.ts'
import { lineOf, sum, summaryOf } from './test-run/report.ts'
import { type FileResult, runFile } from './test-run/run-file.ts'
import { openServers } from './test-run/servers.ts'

// Runs test files side by side, each in a process of its own. `npm test` runs all; with words, those whose
// names have one of them in it; with `--fast`, those for each commit.

/** Most files wait for children, timers and flushes more than they count. */
const lanesPerCore = 2
/** So many files start the service often enough: to compile it takes what ten starts from it save. */
const compilesFromFiles = 50
/** What takes less matters to no order. */
const keptFromSeconds = 1

const { values: options, positionals: words } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    lanes: { type: 'string', default: String(availableParallelism() * lanesPerCore) },
    'keep-seconds': { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const root = fileURLToPath(new URL('..', import.meta.url))
const kept = Bun.file(new URL('test-run/seconds.json', import.meta.url))

async function allTestFiles(): Promise<readonly string[]> {
  const glob = new Bun.Glob('{bench,scripts,src,test,web}/**/*.test.{ts,tsx}')
  return (await Array.fromAsync(glob.scan({ cwd: root }))).toSorted()
}

/** Each lane takes the next file when it is done with one. */
async function runAll(files: readonly PlannedFile[]): Promise<readonly FileResult[]> {
  // Others have to find what lies in it: PostgreSQL does not run as root.
  const directory = await mkdtemp(join(tmpdir(), 'sedge-tests-'))
  await chmod(directory, 0o711)
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  await using undo = new AsyncDisposableStack()
  undo.defer(() => rm(directory, { recursive: true, force: true }))
  const servers = undo.use(await openServers(directory))
  const compiled = files.length < compilesFromFiles ? {} : await compiledService(directory)
  const results = new Map<PlannedFile, FileResult>()
  let begun = 0
  const lane = async (rest: Iterable<PlannedFile>): Promise<void> => {
    for (const file of rest) {
      if (ending.signal.aborted) return
      const isSecond = results.has(file)
      const own = join(directory, String((begun += 1)))
      await mkdir(own)
      await chmod(own, 0o711)
      const result = await runFile(file, {
        root,
        directory: own,
        environment: {
          ...process.env,
          ...(file.isFromSources !== true && compiled),
          ...(await servers.environmentFor(file.stores)),
        },
        signal: ending.signal,
      })
      const isUnsteady = isSecond && result.failed === 0
      results.set(file, isUnsteady ? { ...result, isUnsteady } : result)
      console.log(lineOf(result))
      await rm(own, { recursive: true, force: true })
    }
  }
  const besides = files.filter(({ isAlone }) => isAlone !== true).values()
  try {
    await Promise.all(Array.from({ length: Number(options.lanes) }, () => lane(besides)))
    await lane(files.filter(({ isAlone }) => isAlone === true))
    await lane(worthAnotherTry(results))
  } finally {
    ending.abort()
  }
  return [...results.values()]
}

/** What test files are told, so that they start the service from one compiled file. */
async function compiledService(directory: string): Promise<Readonly<Record<string, string>>> {
  const program = join(directory, 'sedge')
  await compileService(program)
  return { [compiledServiceName]: program }
}

/** Where more failed, it is not for want of room. */
const mostTriedAgain = 6

/** What failed beside others may pass alone; that is said, so that somebody mends it. */
function worthAnotherTry(results: ReadonlyMap<PlannedFile, FileResult>): readonly PlannedFile[] {
  const failed = [...results].filter(([, result]) => result.failed > 0).map(([file]) => file)
  return failed.length > mostTriedAgain ? [] : failed
}

/** Leaves out what has to have servers where there are none, and says so. */
function runnable(files: readonly PlannedFile[]): readonly PlannedFile[] {
  const elsewhere = files.filter(({ stores }) => stores !== undefined)
  if (elsewhere.length === 0 || have(`${elsewhere.length} files elsewhere`, postgres, s3Server))
    return files
  return files.filter(({ stores }) => stores === undefined)
}

async function keepSeconds(results: readonly FileResult[], before: object): Promise<void> {
  const now = results.map(({ title, seconds }) => [title, Math.round(seconds)] as const)
  const all = Object.entries({ ...before, ...Object.fromEntries(now) })
  const slow = all.filter(([, seconds]) => seconds >= keptFromSeconds)
  const ordered = slow.toSorted(([a], [b]) => (a < b ? -1 : 1))
  await Bun.write(kept, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`)
}

const start = performance.now()
const seconds = (await kept.json()) as Readonly<Record<string, number>>
const tier = options.fast ? 'fast' : 'full'
const files = plan({ paths: await allTestFiles(), tier, seconds, words })
const ran = runnable(files)
const results = await runAll(ran)
if (options['keep-seconds']) await keepSeconds(results, seconds)
console.log(summaryOf(results))
const tookSeconds = ((performance.now() - start) / 1000).toFixed(1)
const processorSeconds = sum(results, 'processorSeconds').toFixed(0)
console.log(`${results.length} files in ${tookSeconds} s, ${processorSeconds} s of processors`)
const isCi = process.env['CI'] === 'true'
const isWhole = results.length === ran.length && files.length > 0
const isMissed =
  isCi && (ran.length < files.length || results.some(({ skipped }) => skipped.length > 0))
if (isMissed) console.log('CI skips nothing, but the above was skipped')
process.exitCode = sum(results, 'failed') === 0 && isWhole && !isMissed ? 0 : 1
