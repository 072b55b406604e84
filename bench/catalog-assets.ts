import { readdirSync } from 'node:fs'

import type { AssetRecord } from '../src/ports/records/asset.ts'
import { lucideIcons } from './lucide.ts'

const categories = ['banners', 'github', 'icons', 'logos', 'titles', 'photos']
const formats = ['svg', 'png', 'svg', 'webp', 'svg', 'avif', 'jpg']
const zoneCount = 500

export const zoneName = (index: number) => `zone-${String(index % zoneCount).padStart(3, '0')}`

/** Assets named like the icons of a real package, in path order, spread over zones of unequal size. */
export function makeAssets(count: number): readonly AssetRecord[] {
  const icons = iconNames()
  return Array.from({ length: count }, (_, index) => makeAsset(index, icons)).sort((a, b) =>
    a.path < b.path ? -1 : 1,
  )
}

export function iconNames(): readonly string[] {
  return readdirSync(lucideIcons).map((file) => file.replace('.svg', ''))
}

export function makeAsset(index: number, icons: readonly string[]): AssetRecord {
  const random = Bun.hash.xxHash32(String(index))
  const zone = zoneName(Math.floor((random % 10_007) ** 2 / 200_000))
  const category = categories[(random >>> 8) % categories.length]!
  const format = formats[(random >>> 12) % formats.length]!
  const name = `${icons[index % icons.length]}-${index.toString(36)}.${format}`
  const at = new Date(Date.UTC(2025, 0, 1) + (random % 30_000_000) * 1000)
  return {
    path: `${zone}/v1/${category}/${name}`,
    zone,
    category,
    name,
    format,
    sizeBytes: random % 4_000_000,
    sha256: new Bun.CryptoHasher('sha256').update(name).digest('hex'),
    contentType: format === 'svg' ? 'image/svg+xml' : `image/${format}`,
    createdAt: at,
    changedAt: at,
    commitId: new Bun.CryptoHasher('sha1').update(String(index >>> 5)).digest('hex'),
  }
}
