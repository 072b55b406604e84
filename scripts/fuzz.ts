/**
 * `npm run fuzz -- --seconds 600 --target svg --seed 7`: sends parsers what is made of good files by chance, and
 * ends with 1 where one fails by anything but its own refusal, breaks a promise, or takes too much time or
 * memory. What shows it is kept in test/fixtures/fuzz. All targets, one after another, where none is named.
 */
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'

import { corpusOf, keepFault } from '../test/fuzzing/corpus.ts'
import { fuzz, minimised } from '../test/fuzzing/fuzz.ts'
import type { FuzzTarget } from '../test/fuzzing/fuzz-target.ts'
import { fuzzTargets } from '../test/fuzzing/targets.ts'
import { createRandom } from '../test/support/random.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    target: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed)
const names = fuzzTargets.map(({ name }) => name)
if (!Number.isSafeInteger(seconds) || seconds < 1 || !Number.isSafeInteger(seed))
  throw new Error('--seconds and --seed take whole numbers')
if (values.target !== undefined && !names.includes(values.target))
  throw new Error(`--target takes one of ${names.join(', ')}`)

/** A target that has not ended so long after its time is killed: an input keeps it from it. */
const graceSeconds = 60

if (values.target === undefined) for (const name of names) await runApart(name)
else await run(fuzzTargets.find(({ name }) => name === values.target))

/** In a process of its own, which can be killed. */
async function runApart(name: string): Promise<void> {
  const child = Bun.spawn({
    cmd: [
      process.execPath,
      import.meta.path,
      '--target',
      name,
      '--seconds',
      String(seconds),
      '--seed',
      String(seed),
    ],
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const killing = setTimeout(() => child.kill('SIGKILL'), (seconds + graceSeconds) * 1000)
  const exitCode = await child.exited
  clearTimeout(killing)
  if (child.signalCode === 'SIGKILL')
    console.log(`✗ ${name}: it never ended with ${inputFile(name)}`)
  if (exitCode !== 0) process.exitCode = 1
}

/** What is being looked at. */
function inputFile(name: string): string {
  return join(tmpdir(), `sedge-fuzz-${name}.bin`)
}

async function run(target: FuzzTarget | undefined): Promise<void> {
  if (target === undefined) return
  const corpus = await corpusOf(target)
  const endsAt = performance.now() + seconds * 1000
  const { faults, ...found } = await fuzz(target, {
    random: createRandom(seed),
    corpus,
    isOver: () => performance.now() > endsAt,
    onInput: (input) => writeFileSync(inputFile(target.name), input),
  })
  const refused = Math.round((100 * found.refused) / found.inputs)
  console.log(
    `${faults.length === 0 ? '✓' : '✗'} ${target.name}: ${found.inputs} inputs in ${seconds} s, ${refused} % refused, ${found.outcomes} ways, slowest ${Math.round(found.slowestMs)} ms, seed ${seed}`,
  )
  for (const fault of faults) {
    const path = await keepFault(target, await minimised(target, fault))
    console.log(`  ${fault.why}\n  ${path}`)
    process.exitCode = 1
  }
}
