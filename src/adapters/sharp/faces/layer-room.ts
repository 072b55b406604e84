/** What the layers read and write at a time: rows of `multiply`, and values. */
export const rowsAtOnce = 4
export const columnsAtOnce = 8
export const bytesPerValue = 4
const bytesPerPage = 65_536

export const upTo = (count: number, step: number): number => Math.ceil(count / step) * step

/** Memory that is handed out from the front and taken back all at once. */
export function createLayerRoom(memory: WebAssembly.Memory) {
  let end = 0
  function take(values: number): number {
    const at = end
    end += upTo(values * bytesPerValue, 16)
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / bytesPerPage))
    return at
  }
  const at = (start: number, values: number) => new Float32Array(memory.buffer, start, values)
  return {
    take,
    at,
    keep(values: Float32Array): number {
      const start = take(values.length)
      at(start, values.length).set(values)
      return start
    },
    mark: () => end,
    reset(mark: number): void {
      end = mark
    },
  }
}

export type LayerRoom = ReturnType<typeof createLayerRoom>
