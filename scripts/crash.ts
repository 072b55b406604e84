/**
 * `npm run crash -- --kills 1000 --power-cuts 50 --disk-full 20 --io-errors 20 --clock-jumps 20 [--servers]`: kills
 * services, cuts their power, fills and breaks their disks and moves their clocks at random moments of all that they do,
 * and looks each time whether what was acknowledged is there and nothing is half visible. With `--servers` what can be
 * elsewhere is kept in PostgreSQL and S3. Where nothing is said there are 100 kills, shared among the kinds.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { openServers } from './test-run/servers.ts'

/** Files of tests, and the share of the kills that each has. */
const kinds = [
  ['kill', 0.4],
  ['upload-kills', 0.08],
  ['move-kill', 0.06],
  ['restore-kill', 0.06],
  ['preview-kills', 0.06],
  ['webhooks', 0.05],
  ['s3-kill', 0.05],
  ['s3-kills', 0.05],
  ['push-kills', 0.04],
  ['erasing-kills', 0.04],
  ['retention-kills', 0.03],
  ['backup-kills', 0.02],
  ['traffic-kill', 0.02],
  ['repack-kill', 0.02],
  ['migration-kills', 0.01],
  ['certificate-kills', 0.01],
] as const

/** What it is of, the file of tests, and the variable that says how often. */
const others = [
  ['power-cuts', 'power-cuts', 'SEDGE_POWER_CUTS'],
  ['disk-full', 'full-disk', 'SEDGE_FULL_DISKS'],
  ['io-errors', 'io-errors', 'SEDGE_IO_ERRORS'],
  ['clock-jumps', 'clock-jumps', 'SEDGE_CLOCK_JUMPS'],
] as const

interface Run {
  readonly name: string
  readonly what: string
  readonly variable: string
  readonly count: number
}

const count = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    kills: count,
    'power-cuts': count,
    'disk-full': count,
    'io-errors': count,
    'clock-jumps': count,
    servers: { type: 'boolean', default: false },
  },
})

function numberOf(option: 'kills' | (typeof others)[number][0]): number {
  const number = Number(values[option] ?? 0)
  const isWhole = Number.isSafeInteger(number) && number >= 0
  if (!isWhole) throw new Error(`--${option} takes a whole number`)
  return number
}

const killRuns = (kills: number): readonly Run[] =>
  kills === 0
    ? []
    : kinds.map(([name, share]) => ({
        name,
        what: 'kills',
        variable: 'SEDGE_KILLS',
        count: Math.max(1, Math.round(kills * share)),
      }))

const otherRuns = others
  .map(([what, name, variable]): Run => ({ what, name, variable, count: numberOf(what) }))
  .filter((each) => each.count > 0)
const isUnsaid = values.kills === undefined && otherRuns.length === 0
const runs = [...killRuns(isUnsaid ? 100 : numberOf('kills')), ...otherRuns]

/** With what it said of what was acknowledged. */
async function run({ name, variable, count: times }: Run, elsewhere: Record<string, string>) {
  const child = Bun.spawn({
    cmd: ['bun', 'test', '--timeout', '36000000', `test/faults/${name}.test.ts`],
    env: { ...process.env, ...elsewhere, [variable]: String(times) },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, said] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  const isGood = (await child.exited) === 0
  return { isGood, text: isGood ? linesOfTest(out) : `${out}${said}` }
}

const linesOfTest = (out: string): string =>
  out
    .split('\n')
    .filter((line) => /acknowledged|none lost|skipped|SEDGE_TEST_SEED/u.test(line))
    .join('; ')

const directory = await mkdtemp(join(tmpdir(), 'sedge-crash-'))
await using undo = new AsyncDisposableStack()
undo.defer(() => rm(directory, { recursive: true, force: true }))
const servers = undo.use(await openServers(directory))
const elsewhere = values.servers ? await servers.environmentFor('on servers') : {}
for (const each of runs) {
  const startedAt = performance.now()
  // What a server has flushed no record of the data directory says.
  const { isGood, text } = await run(each, each.name === 'power-cuts' ? {} : elsewhere)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const what = `${each.name}: ${each.count} ${each.what} in ${seconds} s`
  console.log(`${isGood ? '✓' : '✗'} ${what}. ${text}`)
  if (!isGood) process.exitCode = 1
}
