import { fileURLToPath } from 'node:url'

import { type StaticFile, staticFile } from '../../http/response/static-file.ts'
import { makeOnce } from '../../lib/async/single-flight.ts'

/** The files of a page, by name. Each is read, or bundled, when it is first asked for. */
export type PageFiles = (name: string) => Promise<StaticFile>

interface Options {
  readonly folder: URL
  /** Text of files that do not lie in the folder as they are sent. */
  readonly made?: Readonly<Record<string, () => Promise<string | Uint8Array<ArrayBuffer>>>>
}

/** `<name>.js` is bundled from `<name>.ts`, and styles with what they import; all else is sent as it lies there. */
export function createBundledFiles({ folder, made = {} }: Options): PageFiles {
  async function contentOf(name: string): Promise<string | Uint8Array<ArrayBuffer>> {
    const make = Object.hasOwn(made, name) ? made[name] : undefined
    if (make !== undefined) return await make()
    if (name.endsWith('.js')) return await bundleText(new URL(name.replace(/js$/u, 'ts'), folder))
    if (name.endsWith('.css')) return await bundleText(new URL(name, folder))
    return await Bun.file(new URL(name, folder)).bytes()
  }

  return makeOnce(async (name) => staticFile(await contentOf(name), contentTypeOf(name)))
}

async function bundleText(entry: URL): Promise<string> {
  const [main] = await bundle([entry])
  if (main === undefined) throw new Error(`${entry.href} cannot be bundled`)
  return await main.text()
}

/** What browsers are sent of these files: nothing is downloaded, and nothing is written. */
export async function bundle(
  entries: readonly URL[],
  options: Partial<Bun.BuildConfig> = {},
): Promise<readonly Bun.BuildArtifact[]> {
  const { outputs } = await Bun.build({
    entrypoints: entries.map((entry) => fileURLToPath(entry)),
    target: 'browser',
    minify: true,
    external: ['/dashboard/fonts/*', '/docs/fonts/*'],
    ...options,
  })
  return outputs
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

export const contentTypeOf = (name: string): string =>
  contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
