import type { BackupTarget } from '../../ports/backups/backup-target.ts'

export interface MemoryBackupTarget extends BackupTarget {
  readonly files: Map<string, Uint8Array<ArrayBuffer>>
  /** What becomes of bytes on their way in; throwing refuses them. */
  onPut: (name: string, bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | undefined
}

/** A target that does as it is told, faults included. */
export function memoryBackupTarget(): MemoryBackupTarget {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  return {
    place: 'memory',
    files,
    onPut: (_name, bytes) => bytes,
    async put(name, source) {
      const taken = this.onPut(name, await source.bytes(0, source.sizeBytes))
      if (taken !== undefined) files.set(name, taken)
    },
    async open(name) {
      const bytes = files.get(name)
      return bytes && { sizeBytes: bytes.length, body: piecesOf(bytes) }
    },
    async *list(start) {
      for (const [name, bytes] of files)
        if (name.startsWith(start)) yield { name, sizeBytes: bytes.length, changedAt: new Date(0) }
    },
    remove: async (name) => void files.delete(name),
    clear: async () => {},
  }
}

async function* piecesOf(bytes: Uint8Array<ArrayBuffer>) {
  yield bytes.slice(0, 3)
  yield bytes.slice(3)
}
