import { type StaticFile, staticFile } from '../../http/response/static-file.ts'
import { makeOnce } from '../../lib/async/single-flight.ts'
import { programFile } from '../../lib/files/program-files.ts'

/** The files of a page, by name. Each is read, or bundled, when it is first asked for. */
export type PageFiles = (name: string) => Promise<StaticFile>

interface Options {
  /** By its path from the root of the repository, with a slash at its end. */
  readonly folder: string
  /** Text of files that do not lie in the folder as they are sent. */
  readonly made?: Readonly<Record<string, () => Promise<string | Uint8Array<ArrayBuffer>>>>
}

/** `<name>.js` is bundled from `<name>.ts`, and styles with what they import; all else is sent as it lies there. */
export function createBundledFiles({ folder, made = {} }: Options): PageFiles {
  async function contentOf(name: string): Promise<string | Uint8Array<ArrayBuffer>> {
    const make = Object.hasOwn(made, name) ? made[name] : undefined
    if (make !== undefined) return await make()
    if (name.endsWith('.js')) return await bundledText(folder + name.replace(/js$/u, 'ts'))
    if (name.endsWith('.css')) return await bundledText(folder + name)
    return await Bun.file(programFile(folder + name)).bytes()
  }

  return makeOnce(async (name) => staticFile(await contentOf(name), contentTypeOf(name)))
}

/** Where one executable, which cannot bundle, has what was bundled when it was built. */
export const bundledPath = (source: string): string => `bundled/${source}.bundle`

const bundledText = async (source: string): Promise<string> =>
  Bun.isStandaloneExecutable
    ? await Bun.file(programFile(bundledPath(source))).text()
    : await bundleText(source)

/** A script or a style of the repository with all that it imports. */
export async function bundleText(source: string): Promise<string> {
  const { outputs } = await bundle([source])
  const [main] = outputs
  if (main === undefined) throw new Error(`${source} cannot be bundled`)
  return await main.text()
}

/** What browsers are sent of these files: nothing is downloaded, and nothing is written. */
export async function bundle(
  sources: readonly string[],
  options: Partial<Bun.BuildConfig> = {},
): Promise<Bun.BuildOutput> {
  return await Bun.build({
    entrypoints: sources.map((source) => programFile(source)),
    target: 'browser',
    minify: true,
    external: ['/dashboard/fonts/*', '/docs/fonts/*'],
    ...options,
  })
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
