import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Evaluate } from './engines.ts'
import { type ModelFiles, readWebRuntime } from './model-files.ts'

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

/** The model in WebAssembly: works everywhere, four to eight times as slow as the native runtime. */
export async function openWebEngine(files: ModelFiles, directory: string): Promise<Evaluate> {
  const module = await readWebRuntime(directory)
  const runtime = (await import(module)) as Runtime
  const { wasm } = runtime.env
  wasm.numThreads = 1
  wasm.proxy = false
  wasm.wasmPaths = pathToFileURL(join(module, '..', '/')).href
  const session = await runtime.InferenceSession.create(files['model/onnx/model_quantized.onnx'], {
    executionProviders: ['wasm'],
  })
  const tensorOf = (values: readonly number[]) =>
    new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
  return async (ids) => {
    const output = await session.run({
      input_ids: tensorOf(ids),
      attention_mask: tensorOf(ids.map(() => 1)),
      token_type_ids: tensorOf(ids.map(() => 0)),
    })
    return output.last_hidden_state.data
  }
}
