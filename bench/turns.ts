import { turnLimitMs } from '../test/support/long-turns.ts'
import { fullSizes, smallSizes } from '../test/turns/sizes.ts'
import { type Measured, measureTurns } from '../test/turns/measure-turns.ts'
import { works } from '../test/turns/works.ts'
import { report } from './harness.ts'

/** The longest turns of the loops of a service and of an edge while each large work is done. */
const sizes = process.env['SMALL'] === undefined ? fullSizes : smallSizes
const chosen = new RegExp(process.env['WORKS'] ?? '', 'u')
/** What is shorter is of no interest, and looking for it costs. */
const limitMs = 20

const longest = (turns: Measured['ofService']): string => {
  const [first] = turns
  if (first === undefined) return `≤ ${limitMs} ms`
  const { computedMilliseconds, during } = first
  return `${computedMilliseconds} ms${during ? ` (${during.join(', ')})` : ''}`
}

const all = await measureTurns({
  works: works.filter(({ name }) => chosen.test(name)),
  sizes,
  limitMs,
  onMeasured({ name, seconds, ofService, ofEdge, failure }) {
    if (failure !== undefined) console.error(name, failure)
    const shown = { ofService: ofService.slice(0, 4), ofEdge: ofEdge.slice(0, 4) }
    console.log(`${name}: ${seconds.toFixed(0)} s`, JSON.stringify(shown))
  },
})
const isTooLong = ({ ofService, ofEdge }: Measured): boolean =>
  [...ofService, ...ofEdge].some(({ computedMilliseconds }) => computedMilliseconds > turnLimitMs)
if (all.some((each) => each.failure !== undefined || isTooLong(each))) process.exitCode = 1
await report(
  'turns',
  all.map(({ name, seconds, ofService, ofEdge }) => ({
    what: `${name} (${seconds.toFixed(0)} s)`,
    figure: '≤ 100 ms',
    measured: `service ${longest(ofService)}, edge ${longest(ofEdge)}`,
  })),
)
