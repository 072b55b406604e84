import type { PageFile } from '../planes/access/pages.ts'

const directory = new URL('../../web/access/', import.meta.url)

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** The files of the sign-in pages, read, or bundled from TypeScript, when first asked for. */
export function createPageFiles(): (name: string) => Promise<PageFile> {
  const made = new Map<string, Promise<PageFile>>()
  return (name) => {
    const file = made.get(name) ?? makeFile(name)
    made.set(name, file)
    return file
  }
}

async function makeFile(name: string): Promise<PageFile> {
  const [stem = '', extension = ''] = name.split('.')
  const text =
    extension === 'js'
      ? await bundle(new URL(`${stem}.ts`, directory))
      : await Bun.file(new URL(name, directory)).text()
  return { text, contentType: contentTypes[extension] ?? 'application/octet-stream' }
}

async function bundle(entry: URL): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [entry.pathname],
    target: 'browser',
    minify: true,
  })
  const [script] = outputs
  if (script === undefined) throw new Error(`${entry.pathname} cannot be bundled`)
  return await script.text()
}
