import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { packageFile } from '../../lib/files/program-files.ts'

/** The files of the model, by the SHA-256 they must have. */
const sha256ByFile = {
  'model/onnx/model_quantized.onnx':
    'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'model/tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  'model/tokenizer_config.json': '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
} as const

/** Those of the runtime in WebAssembly that comes with it. */
const sha256ByRuntimeFile = {
  'vendor/onnxruntime-web/ort.wasm.min.mjs':
    '9608e98a3fba9716f0cbd0bca0c94808b71dae2e9265ca3fe742ddc393a53ebc',
  'vendor/onnxruntime-web/ort-wasm-simd-threaded.mjs':
    '0a1e718d99c41b22c21f2520ff4f9e883a6b5533856e398d21816ee8eb8185d3',
  'vendor/onnxruntime-web/ort-wasm-simd-threaded.wasm':
    'd1ab1b94b16a65b29d710d0b587b29e7bed336827577623913479b8afe8113e6',
} as const

export type ModelFile = keyof typeof sha256ByFile
export type ModelFiles = Readonly<Record<ModelFile, Uint8Array>>

/** Where the weights are installed; throws where they are not. */
export const modelDirectory = (): string => dirname(packageFile('minilm-weights/package.json'))

/** Throws where a file is missing or is not, byte for byte, what was reviewed. */
export async function readModelFiles(directory: string): Promise<ModelFiles> {
  const entries = Object.entries(sha256ByFile).map(
    async ([file, sha256]) => [file, await readReviewed(join(directory, file), sha256)] as const,
  )
  return Object.fromEntries(await Promise.all(entries)) as unknown as ModelFiles
}

/** Checks the runtime in WebAssembly; answers the module to import. Throws as `readModelFiles` does. */
export async function readWebRuntime(directory: string): Promise<string> {
  await Promise.all(
    Object.entries(sha256ByRuntimeFile).map(
      async ([file, sha256]) => await readReviewed(join(directory, file), sha256),
    ),
  )
  return join(directory, 'vendor/onnxruntime-web/ort.wasm.min.mjs')
}

export async function readReviewed(file: string, sha256: string): Promise<Uint8Array> {
  const bytes = await readFile(file)
  const found = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`${file} must have the SHA-256 ${sha256}, has ${found}`)
  return bytes
}
