import { costsOfCounting } from './counted-edge.ts'
import { report } from './harness.ts'

/** What counting costs the edge, and a line for each request: requests for each second of the server's CPU time. */
const costs = await costsOfCounting({ rounds: 21 })
await report('counting', [
  {
    what: 'cost of counting, of the edge’s requests per CPU-second (1 KB assets, 25 pipelined)',
    figure: '≤ 5 %',
    measured: `${(costs.counting * 100).toFixed(1)} %`,
  },
  {
    what: 'cost of the request log beside counting, 1,000 lines a second kept',
    figure: '≤ 2 %',
    measured: `${(costs.lines * 100).toFixed(1)} %`,
  },
])
