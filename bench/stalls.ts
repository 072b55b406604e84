import { measureStalls } from '../test/support/stalls.ts'
import { report } from './harness.ts'

/** How long any single anonymous request keeps others from being answered. */
const maxStallMs = 50

const { requests, idleMs, worst } = await measureStalls({ suspectMs: maxStallMs / 2 })
for (const { name, milliseconds } of worst) console.log(`${milliseconds.toFixed(1)} ms  ${name}`)
await report('stalls', [
  {
    what: `longest wait for \`/api/health\` and a hot asset during any of ${requests} anonymous requests (shortest of four tries; ${idleMs.toFixed(0)} ms while idle)`,
    figure: `≤ ${maxStallMs} ms`,
    measured: `${worst[0]?.milliseconds.toFixed(0)} ms (${worst[0]?.name})`,
  },
])
