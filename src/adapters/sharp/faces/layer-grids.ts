import { bytesPerValue, type LayerRoom, rowsAtOnce, upTo } from './layer-room.ts'

/** Values of a square grid, channels last. */
export interface Grid {
  readonly side: number
  readonly channels: number
  readonly values: Float32Array
}

/** What `layers.wat` exports, where each function is described. Places are in bytes. */
export interface Layers {
  readonly memory: WebAssembly.Memory
  readonly fill: Call<[bias: number, output: number, places: number, channels: number]>
  readonly multiply: Call<
    [
      input: number,
      step: number,
      inner: number,
      weights: number,
      output: number,
      rows: number,
      columns: number,
    ]
  >
  readonly depthwise: Call<
    [input: number, weights: number, output: number, side: number, channels: number]
  >
  readonly largest: Call<
    [a: number, b: number, c: number, d: number, output: number, channels: number]
  >
}

type Call<Values extends readonly number[]> = (...values: Values) => void

/** A grid in the memory of the layers, with so many places of zero around it. */
export interface Placed {
  readonly at: number
  readonly side: number
  readonly channels: number
  readonly border: 0 | 1
}

export interface PlacedConvolution {
  readonly filters: number
  readonly bias: number
  /** As many as the layers write at a time, or a multiple. */
  readonly columns: number
  readonly outputs: number
}

export interface PlacedSeparable extends PlacedConvolution {
  readonly depthwise: number
}

/** Grids in the memory of the layers, each made from the one before. */
export class LayerGrids {
  readonly #layers: Layers
  readonly #room: LayerRoom

  constructor(layers: Layers, room: LayerRoom) {
    this.#layers = layers
    this.#room = room
  }

  take({ side, channels, values }: Grid): Placed {
    const { at } = this.#output(side, channels)
    this.#room.at(at, values.length).set(values)
    return { at, side, channels, border: 0 }
  }

  copy({ at, side, channels }: Placed): Grid {
    return { side, channels, values: this.#room.at(at, side * side * channels).slice() }
  }

  /** All channels of each place together. */
  mix(input: Placed, { filters, bias, columns }: PlacedConvolution): Placed {
    const { at, side, channels } = input
    const mixed = this.#output(side, columns)
    const places = side * side
    this.#layers.fill(bias, mixed.at, places, columns)
    const rows = upTo(places, rowsAtOnce)
    this.#layers.multiply(at, channels * bytesPerValue, channels, filters, mixed.at, rows, columns)
    return mixed
  }

  /**
   * A 3 by 3 convolution without padding: the result is two smaller. Three places of a line lie one behind
   * the other, and so are one row to multiply; what goes beyond a line is written over by the next.
   */
  convolve(input: Placed, { filters, bias, columns }: PlacedConvolution): Placed {
    const convolved = this.#output(input.side - 2, columns)
    const step = input.channels * bytesPerValue
    const inner = 3 * input.channels
    const rows = upTo(convolved.side, rowsAtOnce)
    for (let y = 0; y < convolved.side; y += 1) {
      const line = convolved.at + y * convolved.side * columns * bytesPerValue
      this.#layers.fill(bias, line, convolved.side, columns)
      for (let dy = 0; dy < 3; dy += 1) {
        const from = input.at + (y + dy) * input.side * step
        const weights = filters + dy * inner * columns * bytesPerValue
        this.#layers.multiply(from, step, inner, weights, line, rows, columns)
      }
    }
    return convolved
  }

  /** Each channel by itself over its 3 by 3 neighbourhood, then all channels of a place together. */
  convolveSeparably(input: Placed, layer: PlacedSeparable): Placed {
    const { at, side, channels } = input
    const around = this.#output(side, channels)
    this.#layers.depthwise(at, layer.depthwise, around.at, side, channels)
    return this.mix(around, layer)
  }

  /** The largest of each 2 by 2 neighbourhood, bent; beyond the edge is what is at the edge. */
  pool(input: Placed, { stride, border }: Pooling): Placed {
    const { channels } = input
    const side = Math.ceil(input.side / stride)
    const line = side + 2 * border
    const values = line * line * channels
    const at = this.#room.take(values + rowsAtOnce * channels)
    this.#room.at(at, values).fill(0)
    for (let y = 0; y < side; y += 1) {
      const begin = at + ((y + border) * line + border) * channels * bytesPerValue
      this.#poolLine(input, { y: y * stride, stride, begin, count: side })
    }
    return { at, side, channels, border }
  }

  #poolLine({ at, side, channels }: Placed, { y, stride, begin, count }: PooledLine): void {
    const bytes = channels * bytesPerValue
    const edge = side - 1
    const top = at + y * side * bytes
    const bottom = at + Math.min(edge, y + 1) * side * bytes
    for (let x = 0; x < count; x += 1) {
      const left = x * stride * bytes
      const right = Math.min(edge, x * stride + 1) * bytes
      const output = begin + x * bytes
      this.#layers.largest(top + left, top + right, bottom + left, bottom + right, output, channels)
    }
  }

  /** The rows that the last step of `multiply` writes beyond the end have a place too. */
  #output(side: number, channels: number): Placed {
    const at = this.#room.take((side * side + rowsAtOnce) * channels)
    return { at, side, channels, border: 0 }
  }
}

interface Pooling {
  readonly stride: 1 | 2
  readonly border: 0 | 1
}

interface PooledLine {
  /** The upper of the two lines that it is made of. */
  readonly y: number
  readonly stride: 1 | 2
  readonly begin: number
  readonly count: number
}
