import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { type StaticFile, staticFile } from '../../http/response/static-file.ts'
import { makeOnce } from '../../lib/async/make-once.ts'

const pagesDirectory = new URL('../../../web/site/', import.meta.url)
const documentsDirectory = new URL('../../../docs/', import.meta.url)

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The files of the home page, the documentation and the API page, made when first asked for. */
export const createSiteFiles = (): ((name: string) => Promise<StaticFile>) => makeOnce(makeFile)

/** The Markdown files of the documentation, by name without `.md`. */
export async function readDocuments(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(documentsDirectory)).filter((name) => name.endsWith('.md'))
  const read = async (name: string): Promise<[string, string]> => [
    name.slice(0, -'.md'.length),
    await Bun.file(new URL(name, documentsDirectory)).text(),
  ]
  return new Map(await Promise.all(names.map(read)))
}

async function makeFile(name: string): Promise<StaticFile> {
  const [stem = '', extension = ''] = name.split('.')
  const contentType = contentTypes[extension] ?? 'application/octet-stream'
  if (name === 'scalar.js') return staticFile(await scalarScript(), contentType)
  if (extension === 'js') return staticFile(await bundle(`${stem}.ts`), contentType)
  return staticFile(await Bun.file(new URL(name, pagesDirectory)).text(), contentType)
}

async function bundle(name: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(new URL(name, pagesDirectory))],
    target: 'browser',
    minify: true,
  })
  const [script] = outputs
  if (script === undefined) throw new Error(`${name} cannot be bundled`)
  return await script.text()
}

/** Scalar's script for browsers, as it was published and in the coding that it is kept in. */
async function scalarScript(): Promise<Uint8Array<ArrayBuffer>> {
  const file = Bun.file(new URL('scalar/standalone.js.gz', pagesDirectory))
  return Uint8Array.from(await gunzipped(await file.bytes()))
}

const gunzipped = promisify(gunzip)
