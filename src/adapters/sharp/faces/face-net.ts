import { programFile } from '../../../lib/files/program-files.ts'
import { type Convolution, type FaceWeights, loadFaceWeights } from './face-weights.ts'
import { type Grid, LayerGrids, type Layers, type PlacedConvolution } from './layer-grids.ts'
import { columnsAtOnce, createLayerRoom, type LayerRoom, upTo } from './layer-room.ts'

/** The net of the face detector. One at a time may run. */
export interface FaceNet {
  /** What it says of each cell of an image of three channels; the values are copies. */
  run(input: Grid): Grid
}

/** Loads the weights into the layers. */
export async function openFaceNet(): Promise<FaceNet> {
  const module = await WebAssembly.compile(
    await Bun.file(programFile('src/adapters/sharp/faces/layers.wasm')).arrayBuffer(),
  )
  const layers = (await WebAssembly.instantiate(module)).exports as unknown as Layers
  return createFaceNet(layers, await loadFaceWeights())
}

function createFaceNet(layers: Layers, weights: FaceWeights): FaceNet {
  const room = createLayerRoom(layers.memory)
  const first = placeConvolution(room, weights.first)
  const separable = weights.separable.map((layer) => ({
    ...placeConvolution(room, { filters: layer.pointwise, bias: layer.bias }),
    depthwise: room.keep(layer.depthwise),
  }))
  const last = placeConvolution(room, weights.last)
  const mark = room.mark()
  return {
    run(input) {
      room.reset(mark)
      const grids = new LayerGrids(layers, room)
      let grid = grids.pool(grids.convolve(grids.take(input), first), { stride: 2, border: 1 })
      for (const [index, layer] of separable.entries()) {
        const isLast = index === separable.length - 1
        const shape = isLast
          ? ({ stride: 1, border: 0 } as const)
          : ({ stride: 2, border: 1 } as const)
        grid = grids.pool(grids.convolveSeparably(grid, layer), shape)
      }
      return grids.copy(grids.mix(grid, last))
    },
  }
}

/** Missing columns are filled up with weights of zero. */
function placeConvolution(room: LayerRoom, { filters, bias }: Convolution): PlacedConvolution {
  const outputs = bias.length
  const columns = upTo(outputs, columnsAtOnce)
  const inputs = filters.length / outputs
  const filled = new Float32Array(inputs * columns)
  for (let input = 0; input < inputs; input += 1)
    filled.set(filters.subarray(input * outputs, (input + 1) * outputs), input * columns)
  const filledBias = new Float32Array(columns)
  filledBias.set(bias)
  return { filters: room.keep(filled), bias: room.keep(filledBias), columns, outputs }
}
