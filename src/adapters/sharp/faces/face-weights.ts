import { join } from 'node:path'

import { programFile } from '../../../lib/files/program-files.ts'

/** The weights of the net by layer, as its authors published them: bytes that stand for decimals. */
export interface FaceWeights {
  readonly first: Convolution
  readonly separable: readonly SeparableConvolution[]
  readonly last: Convolution
}

export interface Convolution {
  /** `[row][column][input][output]`, flat. */
  readonly filters: Float32Array
  readonly bias: Float32Array
}

export interface SeparableConvolution {
  /** `[row][column][channel]`, flat, 3 by 3. */
  readonly depthwise: Float32Array
  /** `[input][output]`, flat. */
  readonly pointwise: Float32Array
  readonly bias: Float32Array
}

interface ManifestEntry {
  readonly name: string
  readonly shape: readonly number[]
  readonly quantization: { readonly scale: number; readonly min: number }
}

const modelName = 'tiny_face_detector_model'

export async function loadFaceWeights(): Promise<FaceWeights> {
  const directory = programFile('src/adapters/sharp/faces/tiny-face-detector')
  const manifest: readonly [{ readonly weights: readonly ManifestEntry[] }] = await Bun.file(
    join(directory, `${modelName}-weights_manifest.json`),
  ).json()
  const bytes = await Bun.file(join(directory, `${modelName}.bin`)).bytes()
  const tensors = readTensors(manifest[0].weights, bytes)
  const tensor = (name: string): Float32Array => {
    const found = tensors.get(name)
    if (found === undefined) throw new Error(`The face model has no ${name}`)
    return found
  }
  return {
    first: { filters: tensor('conv0/filters'), bias: tensor('conv0/bias') },
    separable: [1, 2, 3, 4, 5].map((layer) => ({
      depthwise: tensor(`conv${layer}/depthwise_filter`),
      pointwise: tensor(`conv${layer}/pointwise_filter`),
      bias: tensor(`conv${layer}/bias`),
    })),
    last: { filters: tensor('conv8/filters'), bias: tensor('conv8/bias') },
  }
}

function readTensors(
  entries: readonly ManifestEntry[],
  bytes: Uint8Array,
): ReadonlyMap<string, Float32Array> {
  const tensors = new Map<string, Float32Array>()
  let start = 0
  for (const { name, shape, quantization } of entries) {
    const length = shape.reduce((product, side) => product * side, 1)
    const { scale, min } = quantization
    const values = Float32Array.from(
      bytes.subarray(start, start + length),
      (byte) => byte * scale + min,
    )
    tensors.set(name, values)
    start += length
  }
  return tensors
}
