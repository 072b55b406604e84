import { type StaticFile, staticFile } from '../../http/response/static-file.ts'
import { programFile } from '../../lib/files/program-files.ts'
import type { DashboardFiles } from '../../planes/access/pages.ts'
import { pageNames } from '../../../web/dashboard/page-names.ts'
import { bundle, bundledPath, contentTypeOf } from './bundled-files.ts'

const folder = 'web/dashboard/'

/** Where the parts are served; their names change with what is in them. */
const partsPath = '/dashboard/assets/'

/** The page that loads the rest, and the rest, by name. */
export interface DashboardBundle {
  readonly shell: string
  readonly parts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

interface Served {
  readonly shell: StaticFile
  readonly partByName: ReadonlyMap<string, StaticFile>
}

/** The dashboard, bundled when it is first asked for: nothing is downloaded and nothing is written. */
export function createDashboardFiles(): DashboardFiles {
  let opening: Promise<Served> | undefined
  const opened = (): Promise<Served> => {
    opening ??= openDashboard().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const pages: ReadonlySet<string> = new Set(pageNames)
  return {
    hasPage: (name) => pages.has(name),
    prepare: () => void opened().catch(() => {}),
    shell: async () => (await opened()).shell,
    part: async (name) => (await opened()).partByName.get(name),
  }
}

async function openDashboard(): Promise<Served> {
  const { shell, parts } = await (Bun.isStandaloneExecutable
    ? readBundledDashboard()
    : bundleDashboard())
  const partByName = new Map(
    Array.from(parts, ([name, bytes]) => [name, staticFile(bytes, contentTypeOf(name))]),
  )
  return { shell: staticFile(shell, contentTypeOf('dashboard.html')), partByName }
}

/** What an executable has of it in place of its sources: the shell, and a list of the parts beside them. */
export const dashboardShell = bundledPath(`${folder}dashboard.html`)
export const dashboardParts = bundledPath(`${folder}parts.json`)
export const dashboardPart = (name: string): string => bundledPath(folder + name)

async function readBundledDashboard(): Promise<DashboardBundle> {
  const names = (await Bun.file(programFile(dashboardParts)).json()) as readonly string[]
  const shell = await Bun.file(programFile(dashboardShell)).text()
  return { shell, parts: new Map(await Promise.all(names.map(readPart))) }
}

const readPart = async (name: string) =>
  [name, await Bun.file(programFile(dashboardPart(name))).bytes()] as const

export async function bundleDashboard(): Promise<DashboardBundle> {
  const sources = ['main.tsx', 'dashboard.tsx', 'dashboard.css'].map((name) => folder + name)
  const { outputs, metafile } = await bundle(sources, {
    splitting: true,
    publicPath: partsPath,
    naming: {
      entry: '[name]-[hash].[ext]',
      chunk: '[name]-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  })
  const parts = new Map<string, Uint8Array<ArrayBuffer>>()
  const entries: string[] = []
  for (const output of outputs) {
    const name = nameOf(output.path)
    parts.set(name, new Uint8Array(await output.arrayBuffer()))
    if (output.kind === 'entry-point' || name.endsWith('.css')) entries.push(name)
  }
  const tags = [
    ...entries.map((name) => tagFor(name)),
    ...importsOf(entries, metafile).map((name) => preloadTag(name)),
  ]
  return { shell: await shellWith(tags), parts }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** What is always loaded with the entries, however many imports away, in no order. */
function importsOf(
  entries: readonly string[],
  metafile: Bun.BuildMetafile | undefined,
): readonly string[] {
  const importsByName = new Map(
    Object.entries(metafile?.outputs ?? {}).map(([path, { imports }]) => [nameOf(path), imports]),
  )
  const found = new Set(entries)
  for (const name of found)
    for (const { path, kind } of importsByName.get(name) ?? [])
      if (kind === 'import-statement' && importsByName.has(nameOf(path))) found.add(nameOf(path))
  return [...found].slice(entries.length)
}

/** The page that loads the rest; it has no text of its own but what is shown until then. */
async function shellWith(tags: readonly string[]): Promise<string> {
  const html = await Bun.file(programFile(`${folder}dashboard.html`)).text()
  return html.replace('<!-- parts -->', () => tags.join('\n    '))
}

/** What runs is `main`; the dashboard itself, which it imports with its language, is fetched beside it. */
function tagFor(name: string): string {
  const url = partsPath + name
  if (name.endsWith('.css')) return `<link rel="stylesheet" href="${url}" />`
  return name.startsWith('main-')
    ? `<script type="module" src="${url}"></script>`
    : preloadTag(name)
}

const preloadTag = (name: string): string =>
  `<link rel="modulepreload" href="${partsPath}${name}" />`
