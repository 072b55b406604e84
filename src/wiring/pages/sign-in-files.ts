import { fileURLToPath } from 'node:url'

import { type StaticFile, staticFile } from '../../http/response/static-file.ts'
import { makeOnce } from '../../lib/async/make-once.ts'

const directory = new URL('../../../web/access/', import.meta.url)

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The files of the sign-in pages, read, or bundled, when first asked for. */
export const createPageFiles = (): ((name: string) => Promise<StaticFile>) => makeOnce(makeFile)

const fonts = '@fontsource-variable/hanken-grotesk/files/hanken-grotesk'

async function makeFile(name: string): Promise<StaticFile> {
  if (name.endsWith('.woff2')) {
    const file = new URL(import.meta.resolve(`${fonts}-${name.replace('.', '-wght-normal.')}`))
    return staticFile(await Bun.file(file).bytes(), 'font/woff2')
  }
  const [stem = '', extension = ''] = name.split('.')
  const text =
    extension === 'js'
      ? await bundle(new URL(`${stem}.ts`, directory))
      : extension === 'css'
        ? await bundle(new URL(name, directory))
        : await Bun.file(new URL(name, directory)).text()
  return staticFile(text, contentTypes[extension] ?? 'application/octet-stream')
}

async function bundle(entry: URL): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(entry)],
    target: 'browser',
    minify: true,
    external: ['/dashboard/fonts/*'],
  })
  const [main] = outputs
  if (main === undefined) throw new Error(`${entry.href} cannot be bundled`)
  return await main.text()
}
