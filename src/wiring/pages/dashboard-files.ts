import { type StaticFile, staticFile } from '../../http/response/static-file.ts'
import type { DashboardFiles } from '../../planes/access/pages.ts'
import { pageNames } from '../../../web/dashboard/page-names.ts'
import { bundle, contentTypeOf } from './bundled-files.ts'

const folder = new URL('../../../web/dashboard/', import.meta.url)

/** Where the parts are served; their names change with what is in them. */
const partsPath = '/dashboard/assets/'

interface Bundle {
  readonly shell: StaticFile
  readonly partByName: ReadonlyMap<string, StaticFile>
}

/** The dashboard, bundled when it is first asked for: nothing is downloaded and nothing is written. */
export function createDashboardFiles(): DashboardFiles {
  let bundling: Promise<Bundle> | undefined
  const bundled = (): Promise<Bundle> => {
    bundling ??= bundleDashboard().catch((error: unknown) => {
      bundling = undefined
      throw error
    })
    return bundling
  }
  const pages: ReadonlySet<string> = new Set(pageNames)
  return {
    hasPage: (name) => pages.has(name),
    prepare: () => void bundled().catch(() => {}),
    shell: async () => (await bundled()).shell,
    part: async (name) => (await bundled()).partByName.get(name),
  }
}

async function bundleDashboard(): Promise<Bundle> {
  const sources = ['main.tsx', 'dashboard.tsx', 'dashboard.css'].map(
    (name) => new URL(name, folder),
  )
  const outputs = await bundle(sources, {
    splitting: true,
    publicPath: partsPath,
    naming: {
      entry: '[name]-[hash].[ext]',
      chunk: '[name]-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const partByName = new Map<string, StaticFile>()
  const entries: string[] = []
  for (const output of outputs) {
    const name = output.path.replace(/^\.\//u, '')
    const bytes = new Uint8Array(await output.arrayBuffer())
    partByName.set(name, staticFile(bytes, contentTypeOf(name)))
    if (output.kind === 'entry-point' || name.endsWith('.css')) entries.push(name)
  }
  return { shell: await shellWith(entries), partByName }
}

/** The page that loads the rest; it has no text of its own but what is shown until then. */
async function shellWith(entries: readonly string[]): Promise<StaticFile> {
  const tags = entries.map((name) => tagFor(name))
  const html = await Bun.file(new URL('dashboard.html', folder)).text()
  return staticFile(
    html.replace('<!-- parts -->', () => tags.join('\n    ')),
    contentTypeOf('dashboard.html'),
  )
}

/** What runs is `main`; the dashboard itself, which it imports with its language, is fetched beside it. */
function tagFor(name: string): string {
  const url = partsPath + name
  if (name.endsWith('.css')) return `<link rel="stylesheet" href="${url}" />`
  return name.startsWith('main-')
    ? `<script type="module" src="${url}"></script>`
    : `<link rel="modulepreload" href="${url}" />`
}
