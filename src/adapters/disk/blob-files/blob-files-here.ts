import { ifPresent } from '../../../lib/files/file-faults.ts'
import { type FileSystem, translateFault } from '../file-system.ts'
import type { Flusher } from '../flusher.ts'
import type { BlobFileOutcome, BlobFiles, NewBlobFile } from './blob-files.ts'
import { writeBlobFile } from './write-blob-file.ts'

interface Dependencies {
  readonly files: FileSystem
  readonly flusher: Flusher
  readonly incoming: string
}

/** To write so many takes about a millisecond; then requests are answered. */
const atOnce = 16

/** The calls that only reach the kernel's memory are made at once, between two requests. */
export function blobFilesHere({ files, flusher, incoming }: Dependencies): BlobFiles {
  const write = (file: NewBlobFile): BlobFileOutcome => {
    try {
      return { firstMade: writeBlobFile(files.sync, incoming, file) }
    } catch (error) {
      return { fault: translateFault(error) }
    }
  }
  return {
    atOnce,
    write: async (all) => all.map(write),
    /** One after another: nobody waits, and those who write shall not either. */
    async flush(places) {
      for (const path of places.files) await ifPresent(flusher.flushFile(path))
      for (const path of places.directories) await ifPresent(flusher.flushDirectory(path))
    },
    async [Symbol.asyncDispose]() {},
  }
}
