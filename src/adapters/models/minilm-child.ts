// The process that evaluates the model, one text at a time. Started by `MinilmEmbedder`; it may be
// killed at any moment, and it opens no connection.
import { Tokenizer } from '@huggingface/tokenizers'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { MinilmMessage, MinilmRequest } from './minilm-messages.ts'
import { type ModelFile, readModelFiles } from './model-files.ts'

interface Tensor {
  readonly data: Float32Array
}

/** What is used of the package's copy of onnxruntime-web, which comes without types. */
interface Runtime {
  readonly env: { readonly wasm: { numThreads: number; proxy: boolean; wasmPaths: string } }
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<Session>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => object
}

interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<{ readonly last_hidden_state: Tensor }>
}

const dimensions = 384
/** Names and questions are short; what is longer takes long. */
const maxTokens = 64
/** A token is at least one character, and tokenizing all of a long text would be in vain. */
const maxCharacters = 1_000
const niceness = 5

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
await start(process.argv[2] ?? '')

async function start(directory: string): Promise<void> {
  setPriority(niceness)
  try {
    const embed = await load(directory)
    await embed('warm')
    process.on('message', ({ text }: MinilmRequest) => void answer(text, embed))
    send({ kind: 'ready' })
  } catch (error) {
    send({ kind: 'refused', reason: String(error) })
  }
}

async function load(directory: string): Promise<(text: string) => Promise<Float32Array>> {
  const files = await readModelFiles(directory)
  const runtimeFile: ModelFile = 'vendor/onnxruntime-web/ort.wasm.min.mjs'
  const runtime = (await import(join(directory, runtimeFile))) as Runtime
  const { wasm } = runtime.env
  wasm.numThreads = 1
  wasm.proxy = false
  wasm.wasmPaths = pathToFileURL(`${join(directory, 'vendor/onnxruntime-web')}/`).href
  const session = await runtime.InferenceSession.create(files['model/onnx/model_quantized.onnx'], {
    executionProviders: ['wasm'],
  })
  const json = (file: ModelFile): object =>
    JSON.parse(new TextDecoder().decode(files[file])) as object
  const tokenizer = new Tokenizer(json('model/tokenizer.json'), json('model/tokenizer_config.json'))
  const tensorOf = (values: readonly number[]) =>
    new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
  return async (text) => {
    const ids = firstOf(tokenizer.encode(text.slice(0, maxCharacters).toWellFormed()).ids)
    const output = await session.run({
      input_ids: tensorOf(ids),
      attention_mask: tensorOf(ids.map(() => 1)),
      token_type_ids: tensorOf(ids.map(() => 0)),
    })
    return meanOf(output.last_hidden_state.data, ids.length)
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

async function answer(text: string, embed: (text: string) => Promise<Float32Array>): Promise<void> {
  try {
    send({ kind: 'vector', vector: await embed(text) })
  } catch (error) {
    send({ kind: 'failed', reason: String(error) })
  }
}

function send(message: MinilmMessage): void {
  process.send?.(message)
}
