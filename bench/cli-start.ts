/**
 * How long somebody waits for the first answer of the command line: `npx sedge` without npx, beside a Node that does
 * nothing, since that is started first.
 */
import { join } from 'node:path'

import { median, report } from './harness.ts'

const rounds = 15
const program = join(import.meta.dir, '..', 'bin', 'sedge.js')
const commands = {
  nothing: ['-e', '0'],
  help: [program, '--help'],
  version: [program, '--version'],
  // Nobody listens there: what is measured is the way to the question.
  status: [program, 'status', '--url', 'http://127.0.0.1:9'],
} as const

type Name = keyof typeof commands

async function milliseconds(words: readonly string[]): Promise<number> {
  const start = performance.now()
  const child = Bun.spawn(['node', ...words], { stdio: ['ignore', 'ignore', 'ignore'] })
  await child.exited
  return performance.now() - start
}

const times: Record<Name, number[]> = { nothing: [], help: [], version: [], status: [] }
// Everyone in turn, so that a machine that slows down slows them all.
for (let round = 0; round < rounds; round += 1)
  for (const name of Object.keys(commands) as Name[])
    times[name].push(await milliseconds(commands[name]))

const bare = median(times.nothing)
const rowOf = (name: Name) => {
  const taken = median(times[name])
  return {
    what: `\`sedge ${name === 'status' ? name : `--${name}`}\``,
    figure: '≤ 400 ms',
    measured: `${taken.toFixed(0)} ms, ${(taken / bare).toFixed(1)} times \`node -e 0\` (${bare.toFixed(0)} ms)`,
  }
}
await report('cli-start', [rowOf('help'), rowOf('version'), rowOf('status')])
