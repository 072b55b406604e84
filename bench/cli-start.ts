/**
 * How long somebody waits for the first answer of the command line: `npx sedge` without npx, beside a Node that does
 * nothing, since that is started first. Processor time is that of Node and of all that it starts: it says more than a
 * clock where others use the machine.
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

interface Taken {
  readonly ms: number
  readonly processorMs: number
}

async function start(words: readonly string[]): Promise<Taken> {
  const begun = performance.now()
  const child = Bun.spawn(['node', ...words], { stdio: ['ignore', 'ignore', 'ignore'] })
  await child.exited
  const ms = performance.now() - begun
  return { ms, processorMs: Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN) / 1000 }
}

const times: Record<Name, Taken[]> = { nothing: [], help: [], version: [], status: [] }
// Everyone in turn, so that a machine that slows down slows them all.
for (let round = 0; round < rounds; round += 1)
  for (const name of Object.keys(commands) as Name[]) times[name].push(await start(commands[name]))

const medianMs = (name: Name) => median(times[name].map(({ ms }) => ms))
const processorMs = (name: Name) => median(times[name].map((taken) => taken.processorMs)).toFixed(0)
const bare = medianMs('nothing')
const rowOf = (name: Name) => {
  const taken = medianMs(name)
  return {
    what: `\`sedge ${name === 'status' ? name : `--${name}`}\``,
    figure: '≤ 400 ms',
    measured: `${taken.toFixed(0)} ms, ${(taken / bare).toFixed(1)} times \`node -e 0\` (${bare.toFixed(0)} ms); ${processorMs(name)} ms of processor beside ${processorMs('nothing')}`,
  }
}
await report('cli-start', [rowOf('help'), rowOf('version'), rowOf('status')])
