import { join } from 'node:path'

/** Lucide's icons, as real names and tags to measure with: from `tools/`, after `npm ci --prefix tools`. */
const directory = join(import.meta.dir, '..', 'tools', 'node_modules', 'lucide-static')

/** The directory of its SVG files. */
export const lucideIcons = join(directory, 'icons')

/** The tags of each icon, by its name. */
export const readLucideTags = async (): Promise<Readonly<Record<string, readonly string[]>>> =>
  await Bun.file(join(directory, 'tags.json')).json()
