// The process that reads writing, one image at a time. Started by `TesseractReader`; it may be killed
// at any moment, and it opens no connection.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'

import { layersAround } from '../../lib/box/child-box.ts'
import { looseFile, packageFile } from '../../lib/files/program-files.ts'
import { yieldToOthers } from '../../lib/yield-to-others.ts'
import type { TesseractMessage, TesseractRequest } from './tesseract-messages.ts'
import { type Page, sureWords } from './sure-words.ts'

/** What is used of tesseract.js-core, which comes without types. */
interface Core {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void }
  readonly TessBaseAPI: new () => Api
}

interface Api {
  /** Answers 0 where it is ready. `engine` 1 is the neural one. */
  Init(directory: null, language: string, engine: number): number
  /** Reads `/input`. Answers 0 where it is an image. */
  SetImageFile(orientation: number, angle: number): number
  Recognize(monitor: null): number
  GetJSONText(page: number): string
  Clear(): void
}

type CoreFactory = (options: { readonly wasmBinary: Uint8Array }) => Promise<Core>

/** Reading is never urgent. */
const niceness = 19

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
await start()

async function start(): Promise<void> {
  yieldToOthers(niceness)
  try {
    const { core, api } = await load()
    process.on('message', ({ png }: TesseractRequest) => respond(png, core, api))
    send({ kind: 'ready', layers: layersAround() })
  } catch (error) {
    send({ kind: 'refused', reason: String(error) })
  }
}

async function load(): Promise<{ readonly core: Core; readonly api: Api }> {
  const require = createRequire(import.meta.url)
  const wasm = packageFile('tesseract.js-core/tesseract-core-simd-lstm.wasm')
  const language = packageFile('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz')
  const open = require(looseFile('tesseract.js-core/tesseract-core-simd-lstm.js')) as CoreFactory
  const core = await open({ wasmBinary: await readFile(wasm) })
  core.FS.writeFile('eng.traineddata', gunzipSync(await readFile(language)))
  const api = new core.TessBaseAPI()
  if (api.Init(null, 'eng', 1) !== 0) throw new Error('the language could not be loaded')
  return { core, api }
}

/** What it was in the middle of when it threw is not known; another process is. */
function respond(png: Uint8Array, core: Core, api: Api): void {
  try {
    send({ kind: 'text', text: read(png, core, api) })
  } catch (error) {
    process.send?.({ kind: 'unreadable', reason: String(error) } satisfies TesseractMessage)
    process.exitCode = 1
    process.disconnect?.()
  }
}

function read(png: Uint8Array, core: Core, api: Api): string {
  core.FS.writeFile('/input', png)
  if (api.SetImageFile(1, 0) !== 0) throw new Error('no picture')
  if (api.Recognize(null) !== 0) throw new Error('not recognised')
  const page = JSON.parse(api.GetJSONText(0)) as Page
  api.Clear()
  return sureWords(page)
}

function send(message: TesseractMessage): void {
  process.send?.(message)
}
