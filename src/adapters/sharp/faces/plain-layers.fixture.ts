import type { Convolution, SeparableConvolution } from './face-weights.ts'
import type { Grid } from './layer-grids.ts'

// The layers one value at a time, to hold those that are fast to.

const leakySlope = 0.1

const gridOf = (side: number, channels: number): Grid => ({
  side,
  channels,
  values: new Float32Array(side * side * channels),
})

/** A 3 by 3 convolution without padding: the result is two smaller. */
export function convolve(input: Grid, { filters, bias }: Convolution): Grid {
  const output = gridOf(input.side - 2, bias.length)
  const row = 3 * input.channels
  for (let y = 0; y < output.side; y += 1)
    for (let x = 0; x < output.side; x += 1) {
      const target = startAt(output, bias, y * output.side + x)
      for (let dy = 0; dy < 3; dy += 1)
        accumulate(
          input.values.subarray(((y + dy) * input.side + x) * input.channels).subarray(0, row),
          filters.subarray(dy * row * bias.length),
          target,
        )
    }
  return leaky(output)
}

/** Each channel by itself over its 3 by 3 neighbourhood, then all channels of a place together. */
export function convolveSeparably(input: Grid, layer: SeparableConvolution): Grid {
  const { pointwise, bias } = layer
  const output = gridOf(input.side, bias.length)
  const around = new Float32Array(input.channels)
  for (let y = 0; y < input.side; y += 1)
    for (let x = 0; x < input.side; x += 1) {
      gather(input, { x, y, depthwise: layer.depthwise }, around)
      accumulate(around, pointwise, startAt(output, bias, y * output.side + x))
    }
  return leaky(output)
}

/** All channels of a place together, without a bend: the last layer. */
export function mix(input: Grid, { filters, bias }: Convolution): Grid {
  const output = gridOf(input.side, bias.length)
  for (let place = 0; place < input.side * input.side; place += 1) {
    const start = place * input.channels
    accumulate(
      input.values.subarray(start, start + input.channels),
      filters,
      startAt(output, bias, place),
    )
  }
  return output
}

/** The largest of each 2 by 2 neighbourhood; beyond the edge is what is at the edge. */
export function pool(input: Grid, stride: 1 | 2): Grid {
  const { side, channels, values } = input
  const output = gridOf(Math.ceil(side / stride), channels)
  const startOf = (x: number, y: number) =>
    (Math.min(side - 1, y) * side + Math.min(side - 1, x)) * channels
  for (let y = 0; y < output.side; y += 1)
    for (let x = 0; x < output.side; x += 1) {
      const [left, top] = [x * stride, y * stride]
      const a = startOf(left, top)
      const b = startOf(left + 1, top)
      const c = startOf(left, top + 1)
      const d = startOf(left + 1, top + 1)
      const target = (y * output.side + x) * channels
      for (let index = 0; index < channels; index += 1)
        output.values[target + index] = Math.max(
          values[a + index]!,
          values[b + index]!,
          values[c + index]!,
          values[d + index]!,
        )
    }
  return output
}

interface Neighbourhood {
  readonly x: number
  readonly y: number
  readonly depthwise: Float32Array
}

function gather(input: Grid, { x, y, depthwise }: Neighbourhood, sums: Float32Array): void {
  const { side, channels, values } = input
  sums.fill(0)
  for (let dy = -1; dy <= 1; dy += 1)
    for (let dx = -1; dx <= 1; dx += 1) {
      const [row, column] = [y + dy, x + dx]
      if (row < 0 || column < 0 || row >= side || column >= side) continue
      const from = (row * side + column) * channels
      const filter = ((dy + 1) * 3 + dx + 1) * channels
      for (let channel = 0; channel < channels; channel += 1)
        sums[channel]! += values[from + channel]! * depthwise[filter + channel]!
    }
}

/**
 * Adds every input value, weighted, to every output of one place. Four at a time, so that each output
 * is fetched and put back a quarter as often: that makes the whole net twice as fast.
 */
function accumulate(inputs: Float32Array, weights: Float32Array, outputs: Float32Array): void {
  const width = outputs.length
  const rest = inputs.length % 4
  for (let input = 0; input < inputs.length - rest; input += 4) {
    const [first, second, third] = [input * width, (input + 1) * width, (input + 2) * width]
    const fourth = (input + 3) * width
    const a = inputs[input]!
    const b = inputs[input + 1]!
    const c = inputs[input + 2]!
    const d = inputs[input + 3]!
    for (let output = 0; output < width; output += 1)
      outputs[output]! +=
        a * weights[first + output]! +
        b * weights[second + output]! +
        c * weights[third + output]! +
        d * weights[fourth + output]!
  }
  for (let input = inputs.length - rest; input < inputs.length; input += 1)
    for (let output = 0; output < width; output += 1)
      outputs[output]! += inputs[input]! * weights[input * width + output]!
}

function startAt(output: Grid, bias: Float32Array, place: number): Float32Array {
  const target = output.values.subarray(place * bias.length, (place + 1) * bias.length)
  target.set(bias)
  return target
}

function leaky(grid: Grid): Grid {
  const { values } = grid
  for (let index = 0; index < values.length; index += 1)
    if (values[index]! < 0) values[index]! *= leakySlope
  return grid
}
