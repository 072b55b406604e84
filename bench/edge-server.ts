import { DiskBlobStore } from '../src/adapters/disk/disk-blob-store.ts'
import { createEdge } from '../src/edge/asset/edge.ts'
import { createHitTap } from '../src/edge/hits/hit-tap.ts'
import { openListener } from '../src/server/listener.ts'
import type { Manifest } from '../src/ports/records/manifest.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'

/**
 * The edge alone behind a real socket: `edge-server.ts <directory> <port>`. With a third word it has that many bytes of
 * memory for what is at hand, and the hot line in front, as the service has.
 */
const [, , directory = '', port = '0', memoryBytes] = process.argv

interface ListedAsset {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly contentType: string
}

const at = new Date('2026-01-01T00:00:00Z')
const zone = { name: 'bench', createdAt: at, enabled: true, suspended: false }
const listed = (await Bun.file(`${directory}/assets.json`).json()) as readonly ListedAsset[]
const recordByPath = new Map<string, AssetRecord>(
  listed.map((asset) => [
    asset.path,
    {
      ...asset,
      zone: 'bench',
      category: 'icons',
      name: asset.path.slice(asset.path.lastIndexOf('/') + 1),
      format: asset.path.slice(asset.path.lastIndexOf('.') + 1),
      createdAt: at,
      changedAt: at,
      commitId: 'c0ffee',
    },
  ]),
)
const manifest: Manifest = {
  asset: (path) => recordByPath.get(path),
  zone: (name) => (name === 'bench' ? zone : undefined),
  zoneOfHost: () => undefined,
  ruleFile: () => undefined,
  preview: () => undefined,
  isErased: () => false,
}
const tap = createHitTap()
const edge = createEdge({
  manifest,
  blobs: new DiskBlobStore({ directory }),
  tap,
  settings: {
    baseUrl: 'http://localhost',
    ...(memoryBytes !== undefined && { maxMemoryBytes: Number(memoryBytes) }),
  },
})
const place = { hostname: '127.0.0.1', port: Number(port) }
const server =
  memoryBytes === undefined
    ? Bun.serve({ ...place, development: false, fetch: (request) => edge.fetch(request) })
    : openListener({
        ...place,
        sharesPort: false,
        respond: (request) => edge.fetch(request),
        respondOnWire: (request) => edge.onWire(request),
      })
setInterval(() => tap.drain(), 5000)
console.log(server.port)
