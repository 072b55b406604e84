/**
 * `npm run soak -- --minutes 60 --seed 7`: starts a service as a user does, gives it reads, writes, transforms,
 * streams, searches, pushes and webhooks at a measured pace, with clients that leave or do not read, children that
 * are killed, webhooks that are refused and one kill of the service; ends with 1 where memory, descriptors, children
 * or disk grow in the last two thirds, or something is answered otherwise than it should be. Linux alone.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { soak } from '../test/soak/soak.ts'
import { judge } from '../test/soak/verdict.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** A file for all samples, a line of JSON each. */
    samples: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed)
if (!(minutes > 0) || !Number.isSafeInteger(seed))
  throw new Error('--minutes takes a number, --seed a whole one')

const mib = 2 ** 20
const shown = 20
const lines: string[] = []
let toldShare = 0

console.log(`${minutes} minutes, seed ${seed}`)
await using directory = await temporaryDirectory()
const soaked = await soak({
  directory: directory.path,
  seconds: minutes * 60,
  seed,
  sampleEveryMs: Math.min(5_000, (minutes * 60_000) / 60),
  onSample(sample, share) {
    const { diskByPart, ...others } = sample
    lines.push(JSON.stringify({ ...others, disk: Object.fromEntries(diskByPart) }))
    if (values.samples !== undefined) writeFileSync(values.samples, `${lines.join('\n')}\n`)
    if (share < toldShare + 1 / shown) return
    toldShare = share
    const memory = `${Math.round(sample.rssBytes / mib)} MiB, children ${Math.round(sample.childrenBytes / mib)} MiB`
    console.log(
      `${Math.round(share * 100)} %: ${memory}, ${sample.descriptors} descriptors, ${sample.children} children, ${sample.commits} commits`,
    )
  },
})
const { rows, grown } = judge(soaked)
for (const fault of soaked.faults.slice(0, 50)) console.log(fault)
console.log([...soaked.doneByName].map(([name, done]) => `${done} ${name}`).join(', '))
console.log(`${soaked.webhooks} webhooks received, ${soaked.faults.length} faults`)
console.log('\n| what | figure | measured |\n| --- | --- | --- |')
for (const { what, figure, measured } of rows) console.log(`| ${what} | ${figure} | ${measured} |`)
for (const what of grown) console.log(`grown: ${what}`)
if (grown.length + soaked.faults.length > 0) process.exitCode = 1
