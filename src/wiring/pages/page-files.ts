import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { createBundledFiles, type PageFiles } from './bundled-files.ts'

const web = new URL('../../../web/', import.meta.url)
const documentsDirectory = new URL('../../../docs/', import.meta.url)

const fontFiles = { 'latin.woff2': () => font('latin'), 'latin-ext.woff2': () => font('latin-ext') }

/** The home page, the documentation and the page of the API. */
export const createSiteFiles = (): PageFiles =>
  createBundledFiles({
    folder: new URL('site/', web),
    made: { ...fontFiles, 'scalar.js': scalarScript },
  })

/** The player. */
export const createWatchFiles = (): PageFiles =>
  createBundledFiles({ folder: new URL('watch/', web) })

/** The pages to sign in at, and the fonts of the dashboard. */
export const createSignInFiles = (): PageFiles =>
  createBundledFiles({
    folder: new URL('access/', web),
    made: fontFiles,
  })

const fonts = '@fontsource-variable/hanken-grotesk/files/hanken-grotesk'

const font = async (letters: string): Promise<Uint8Array<ArrayBuffer>> =>
  await Bun.file(new URL(import.meta.resolve(`${fonts}-${letters}-wght-normal.woff2`))).bytes()

/** The Markdown files of the documentation, by name without `.md`. */
export async function readDocuments(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(documentsDirectory)).filter((name) => name.endsWith('.md'))
  const read = async (name: string): Promise<[string, string]> => [
    name.slice(0, -'.md'.length),
    await Bun.file(new URL(name, documentsDirectory)).text(),
  ]
  return new Map(await Promise.all(names.map(read)))
}

/** Diagrams of the documentation: SVG by the name that its Markdown has for it, `images/<name>.svg`. */
export async function readDiagrams(): Promise<ReadonlyMap<string, string>> {
  const folder = new URL('images/', documentsDirectory)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.svg'))
  const read = async (name: string): Promise<[string, string]> => [
    `images/${name}`,
    await Bun.file(new URL(name, folder)).text(),
  ]
  return new Map(await Promise.all(names.map(read)))
}

/** Scalar's script for browsers, as it was published and in the coding that it is kept in. */
async function scalarScript(): Promise<Uint8Array<ArrayBuffer>> {
  const file = Bun.file(new URL('site/scalar/standalone.js.gz', web))
  return Uint8Array.from(await gunzipped(await file.bytes()))
}

const gunzipped = promisify(gunzip)
