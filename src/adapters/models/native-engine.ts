import { looseFile } from '../../lib/files/program-files.ts'
import { dimensions, type Evaluate, maxTokens } from './engines.ts'
import { type ModelFiles, readReviewed } from './model-files.ts'
import { NativeSession } from './native-session.ts'

/** The model in the native runtime. Throws where the library is not what was reviewed, or does not load. */
export async function openNativeEngine(files: ModelFiles, library: string): Promise<Evaluate> {
  await readReviewed(library, nativeLibrarySha256())
  const session = new NativeSession({
    library,
    model: files['model/onnx/model_quantized.onnx'],
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
    output: 'last_hidden_state',
    maxLength: maxTokens,
  })
  return async (ids) =>
    session.run([ids, ids.map(() => 1), ids.map(() => 0)], ids.length * dimensions)
}

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** Packages with ONNX Runtime 1.28.2, one for each platform, by the SHA-256 of its library. */
const sha256ByLibrary: Readonly<Record<string, string>> = {
  'sherpa-onnx-darwin-arm64/libonnxruntime.dylib':
    'b0613d0ae53199a83b05fa48e169211498e9d40d54beaa372068ebe5ec5b0929',
  'sherpa-onnx-darwin-x64/libonnxruntime.dylib':
    '2bf27180c09e6fd3f407c9ab25205ebf1ff95f2d53bfa35e35409b5849e0ac70',
  'sherpa-onnx-linux-arm64/libonnxruntime.so':
    'cfc800d4438f15e8d9017521326776ca7117d8783cb847ccccc2fc61ac4d540f',
  'sherpa-onnx-linux-x64/libonnxruntime.so':
    '4b3607aebd1784b26b6f9b20e4bd974c7ab8287043e4d095cb7d2cb40b5e566e',
  'sherpa-onnx-win-x64/onnxruntime.dll':
    '7f66f939a881baf4f46a2216496798edf4a1429878b646d12674aa62f27d8a25',
}

const nameOfLibrary = (): string | undefined =>
  Object.keys(sha256ByLibrary).find((name) => name.startsWith(`sherpa-onnx-${platform}/`))

const nativeLibrarySha256 = (): string => sha256ByLibrary[nameOfLibrary() ?? ''] ?? 'none'

/** The library for this platform; `undefined` where it is not installed or there is none. */
export function nativeLibrary(): string | undefined {
  const name = nameOfLibrary()
  if (name === undefined) return undefined
  try {
    return looseFile(name)
  } catch {
    return undefined
  }
}
