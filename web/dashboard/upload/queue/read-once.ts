const maxKeptBytes = 67_108_864

/** Reads files, and keeps a bounded amount of what was read for whoever reads it next. */
export function createReadOnce() {
  const kept = new Map<Blob, ArrayBuffer>()
  let keptBytes = 0
  return {
    /** The bytes; kept for one more reader where there is room. */
    async first(file: Blob): Promise<ArrayBuffer> {
      const bytes = await file.arrayBuffer()
      if (!kept.has(file) && keptBytes + bytes.byteLength <= maxKeptBytes) {
        kept.set(file, bytes)
        keptBytes += bytes.byteLength
      }
      return bytes
    },
    async last(file: Blob): Promise<ArrayBuffer> {
      const bytes = kept.get(file)
      if (bytes === undefined) return file.arrayBuffer()
      kept.delete(file)
      keptBytes -= bytes.byteLength
      return bytes
    },
  }
}
