import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { packageFile, programFile } from '../../lib/files/program-files.ts'
import { createBundledFiles, type PageFiles } from './bundled-files.ts'

const documentsDirectory = programFile('docs')

const fontFiles = { 'latin.woff2': () => font('latin'), 'latin-ext.woff2': () => font('latin-ext') }

/** The home page, the documentation and the page of the API. */
export const createSiteFiles = (): PageFiles =>
  createBundledFiles({
    folder: 'web/site/',
    made: { ...fontFiles, 'scalar.js': scalarScript },
  })

/** The player. */
export const createWatchFiles = (): PageFiles => createBundledFiles({ folder: 'web/watch/' })

/** The pages to sign in at, and the fonts of the dashboard. */
export const createSignInFiles = (): PageFiles =>
  createBundledFiles({
    folder: 'web/access/',
    made: fontFiles,
  })

const fonts = '@fontsource-variable/hanken-grotesk/files/hanken-grotesk'

const font = async (letters: string): Promise<Uint8Array<ArrayBuffer>> =>
  await Bun.file(packageFile(`${fonts}-${letters}-wght-normal.woff2`)).bytes()

/** The Markdown files of the documentation, by name without `.md`. */
export async function readDocuments(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(documentsDirectory)).filter((name) => name.endsWith('.md'))
  const read = async (name: string): Promise<[string, string]> => [
    name.slice(0, -'.md'.length),
    await Bun.file(join(documentsDirectory, name)).text(),
  ]
  return new Map(await Promise.all(names.map(read)))
}

/** Diagrams of the documentation: SVG by the name that its Markdown has for it, `images/<name>.svg`. */
export async function readDiagrams(): Promise<ReadonlyMap<string, string>> {
  const folder = join(documentsDirectory, 'images')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.svg'))
  const read = async (name: string): Promise<[string, string]> => [
    `images/${name}`,
    await Bun.file(join(folder, name)).text(),
  ]
  return new Map(await Promise.all(names.map(read)))
}

/** Scalar's script for browsers, as it was published and in the coding that it is kept in. */
async function scalarScript(): Promise<Uint8Array<ArrayBuffer>> {
  const file = Bun.file(programFile('web/site/scalar/standalone.js.gz'))
  return Uint8Array.from(await gunzipped(await file.bytes()))
}

const gunzipped = promisify(gunzip)
