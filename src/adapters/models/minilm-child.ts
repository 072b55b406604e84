// The process that evaluates the model, one text at a time. Started by `MinilmEmbedder`; it may be
// killed at any moment, and it opens no connection.
import { Tokenizer } from '@huggingface/tokenizers'

import { layersAround } from '../../lib/box/child-box.ts'
import { yieldToOthers } from '../../lib/yield-to-others.ts'

import { dimensions, maxTokens } from './engines.ts'
import type { MinilmMessage, MinilmRequest } from './minilm-messages.ts'
import { type ModelFile, readModelFiles } from './model-files.ts'
import { openNativeEngine } from './native-engine.ts'
import { openWebEngine } from './web-engine.ts'

type Embed = (text: string) => Promise<Float32Array>

/** A token is at least one character, and tokenizing all of a long text would be in vain. */
const maxCharacters = 1_000
const niceness = 5

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
await start(process.argv[2] ?? '', process.argv[3])

/** The library is that of the native runtime; without one the model runs in WebAssembly. */
async function start(directory: string, library: string | undefined): Promise<void> {
  yieldToOthers(niceness)
  try {
    const embed = await load(directory, library)
    if (!(await embed('warm')).every(Number.isFinite)) throw new Error('the model makes no numbers')
    process.on('message', ({ text }: MinilmRequest) => void respond(text, embed))
    send({ kind: 'ready', layers: layersAround() })
  } catch (error) {
    send({ kind: 'refused', reason: String(error) })
  }
}

async function load(directory: string, library: string | undefined): Promise<Embed> {
  const files = await readModelFiles(directory)
  const evaluate = await (library === undefined
    ? openWebEngine(files, directory)
    : openNativeEngine(files, library))
  const json = (file: ModelFile): object =>
    JSON.parse(new TextDecoder().decode(files[file])) as object
  const tokenizer = new Tokenizer(json('model/tokenizer.json'), json('model/tokenizer_config.json'))
  return async (text) => {
    const ids = firstOf(tokenizer.encode(text.slice(0, maxCharacters).toWellFormed()).ids)
    return meanOf(await evaluate(ids), ids.length)
  }
}

/** The end marker stays where the middle is cut. */
function firstOf(ids: readonly number[]): readonly number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1) ?? 0]
}

/** The mean of the tokens' vectors, of length 1. */
function meanOf(states: Float32Array, tokenCount: number): Float32Array {
  const mean = new Float32Array(dimensions)
  for (let token = 0; token < tokenCount; token += 1)
    for (let place = 0; place < dimensions; place += 1)
      mean[place] = (mean[place] ?? 0) + (states[token * dimensions + place] ?? 0)
  const length = Math.hypot(...mean) || 1
  return mean.map((value) => value / length)
}

async function respond(text: string, embed: Embed): Promise<void> {
  try {
    send({ kind: 'vector', vector: await embed(text) })
  } catch (error) {
    send({ kind: 'failed', reason: String(error) })
  }
}

function send(message: MinilmMessage): void {
  process.send?.(message)
}
