/**
 * `npm run crash -- --kills 1000`: kills services at random moments of all that they do, and looks each time
 * whether what was acknowledged is there and nothing is half visible. The kills are shared among the kinds.
 */
import { parseArgs } from 'node:util'

/** Files of tests, and the share of the kills that each has. */
const kinds = [
  ['kill', 0.4],
  ['upload-kills', 0.08],
  ['move-kill', 0.06],
  ['restore-kill', 0.06],
  ['preview-kills', 0.06],
  ['webhooks', 0.06],
  ['s3-kill', 0.05],
  ['s3-kills', 0.05],
  ['push-kills', 0.04],
  ['erasing-kills', 0.04],
  ['retention-kills', 0.04],
  ['backup-kills', 0.03],
  ['traffic-kill', 0.03],
] as const

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' } } })
const kills = Number(values.kills)
if (!Number.isSafeInteger(kills) || kills < 1) throw new Error('--kills takes a whole number')

/** With what it said of what was acknowledged. */
async function run(name: string, count: number) {
  const child = Bun.spawn({
    cmd: ['bun', 'test', '--timeout', '36000000', `test/faults/${name}.test.ts`],
    env: { ...process.env, SEDGE_KILLS: String(count) },
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
    .filter((line) => /acknowledged|none lost|SEDGE_TEST_SEED/u.test(line))
    .join('; ')

for (const [name, share] of kinds) {
  const count = Math.max(1, Math.round(kills * share))
  const startedAt = performance.now()
  const { isGood, text } = await run(name, count)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`${isGood ? '✓' : '✗'} ${name}: ${count} kills in ${seconds} s. ${text}`)
  if (!isGood) process.exitCode = 1
}
