import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { report } from './harness.ts'
import { measureIsolation } from './images/isolation.ts'
import { openHouse } from './images/house.ts'
import { measureCells } from './images/cells.ts'
import { openBareLibvips, openIpx } from './images/peers.ts'
import { measureQuality } from './images/quality.ts'
import { findImages } from './images/sample-images.ts'
import { measureTraffic } from './images/traffic.ts'

/**
 * CPU time of transforms beside libvips by itself and ipx, in turns; what a mix of requests costs; and
 * what becomes of everything else meanwhile. `SEDGE_BENCH_IMAGES` names a directory of images, else
 * some are painted; `SEDGE_BENCH_IPX` one where ipx is installed.
 */
const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-images-'))
try {
  const images = await findImages(directory)
  await using house = await openHouse(directory, images)
  await using bare = await openBareLibvips(directory)
  await using ipx = openIpx()
  const bench = { directory, images, house, bare, ipx }
  await report('images', [
    ...(await measureCells(bench)),
    ...(await measureTraffic(bench)),
    ...(await measureIsolation(bench)),
  ])
  await report('images-quality', await measureQuality(bench))
} finally {
  await rm(directory, { recursive: true, force: true })
}
