import { takeTurns } from '../../lib/async/turns.ts'
import { compareByBytes } from '../../lib/text/byte-order.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { createKeeping } from './kept-asset.ts'

/** Thousands of assets let requests be answered meanwhile. */
const assetsPerTurn = 5_000
/** To ask after each one whether it is time costs as much as what is done with it. */
const assetsPerLook = 100

/** Every asset in path order, as the catalogue keeps it. */
export async function loadAssets(
  assets: AsyncIterable<AssetRecord> | Iterable<AssetRecord>,
): Promise<readonly AssetRecord[]> {
  const keep = createKeeping()
  const records: AssetRecord[] = []
  let isSorted = true
  const turns = takeTurns(assetsPerTurn)
  for await (const asset of assets) {
    if (records.length % assetsPerLook === 0) await turns.after(assetsPerLook)
    isSorted &&= compareByBytes(records.at(-1)?.path ?? '', asset.path) < 0
    records.push(keep(asset))
  }
  return isSorted ? records : records.sort((a, b) => compareByBytes(a.path, b.path))
}
