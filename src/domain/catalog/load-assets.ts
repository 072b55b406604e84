import { takeTurns } from '../../lib/async/turns.ts'
import { compareByBytes } from '../../lib/text/byte-order.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'

/** Thousands of assets let requests be answered meanwhile. */
const assetsPerTurn = 5_000

/**
 * Every asset in path order. Strings that many assets have in common are kept once: a store reads each
 * of them anew for each asset, and that would be half of what the records weigh.
 */
export async function loadAssets(
  assets: AsyncIterable<AssetRecord> | Iterable<AssetRecord>,
): Promise<readonly AssetRecord[]> {
  const share = createSharing()
  const records: AssetRecord[] = []
  let isSorted = true
  const turns = takeTurns(assetsPerTurn)
  for await (const asset of assets) {
    await turns.after(1)
    isSorted &&= compareByBytes(records.at(-1)?.path ?? '', asset.path) < 0
    records.push(share(asset))
  }
  return isSorted ? records : records.sort((a, b) => compareByBytes(a.path, b.path))
}

function createSharing(): (record: AssetRecord) => AssetRecord {
  const known = new Map<string, string>()
  const one = (text: string): string => {
    const first = known.get(text)
    if (first === undefined) known.set(text, text)
    return first ?? text
  }
  return (record) => ({
    path: record.path,
    zone: one(record.zone),
    category: one(record.category),
    name: record.name,
    format: one(record.format),
    sizeBytes: record.sizeBytes,
    sha256: record.sha256,
    contentType: one(record.contentType),
    createdAt: record.createdAt,
    changedAt:
      record.changedAt.getTime() === record.createdAt.getTime()
        ? record.createdAt
        : record.changedAt,
    commitId: one(record.commitId),
    ...(record.metadata !== undefined && { metadata: record.metadata }),
  })
}
