import { openEdge } from '../src/cli/operator/cache-edge.ts'
import { readEdgeSettings } from '../src/cli/operator/edge-settings.ts'

/** The edge alone, for bench/cache.ts: prints its port. Arguments as for `sedge edge`. */
const edge = await openEdge(readEdgeSettings(process.argv.slice(2)))
console.log(edge.url.port)
