const maxKeptBytes = 67_108_864

/** Reads files, and keeps a bounded amount of what was read for whoever reads it next. */
export function createReadOnce() {
  const kept = new Map<Blob, ArrayBuffer>()
  const readTogether = createReadTogether()
  let keptBytes = 0
  return {
    /** The bytes; kept for one more reader where there is room. */
    async first(file: Blob): Promise<ArrayBuffer> {
      const bytes = await readTogether(file)
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

interface Waiting {
  readonly file: Blob
  readonly resolve: (bytes: ArrayBuffer | Promise<ArrayBuffer>) => void
}

/** Files that are asked for at once are read as one: each reading by itself goes to the browser's process and back. */
function createReadTogether(): (file: Blob) => Promise<ArrayBuffer> {
  let waiting: Waiting[] = []

  async function readAll(): Promise<void> {
    const together = waiting
    waiting = []
    try {
      const bytes = await new Blob(together.map(({ file }) => file)).arrayBuffer()
      let at = 0
      for (const { file, resolve } of together) resolve(bytes.slice(at, (at += file.size)))
    } catch {
      // One of them cannot be read: alone, each says for itself.
      for (const { file, resolve } of together) resolve(file.arrayBuffer())
    }
  }

  return (file) =>
    new Promise((resolve) => {
      waiting.push({ file, resolve })
      if (waiting.length === 1) queueMicrotask(() => void readAll())
    })
}
