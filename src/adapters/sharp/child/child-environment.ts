import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { looseFile } from '../../../lib/files/program-files.ts'

/** Faces of the bundled family; no other font of the machine is used, so every machine draws the same. */
const faces = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'] as const
const family = 'Noto Sans'
const genericNames = [
  'sans-serif',
  'serif',
  'monospace',
  'system-ui',
  'Arial',
  'Helvetica',
] as const

export interface ChildSurroundings {
  readonly env: Readonly<Record<string, string>>
  /** What it may read. */
  readonly readable: readonly string[]
}

/**
 * Everything a child gets to know of its surroundings: no secret, no path to search. One thread and
 * few allocator arenas, or a child grows to twice the size; freed images go back to the system.
 */
export async function childSurroundings(directory: string): Promise<ChildSurroundings> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const fontconfig = join(directory, 'fonts.conf')
  await writeFile(fontconfig, fontconfigOf())
  const env = {
    LANG: 'C.UTF-8',
    FONTCONFIG_FILE: fontconfig,
    UV_THREADPOOL_SIZE: '1',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    VIPS_WARNING: '0',
  }
  return { env, readable: [fontconfig] }
}

function fontconfigOf(): string {
  const fonts = dirname(looseFile('@expo-google-fonts/noto-sans/package.json'))
  const directories = faces.map((face) => `<dir>${escapeXml(join(fonts, face))}</dir>`)
  const aliases = genericNames.map(
    (name) => `<alias><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
  )
  return [
    '<?xml version="1.0"?>',
    '<fontconfig>',
    ...directories,
    // Each child has its own: what one writes is not for another to read.
    '<cachedir prefix="xdg">fontconfig</cachedir>',
    ...aliases,
    '</fontconfig>',
  ].join('\n')
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
