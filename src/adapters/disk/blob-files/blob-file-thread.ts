import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

import { isAbsence } from '../../../lib/files/file-faults.ts'
import { nodeFileSystem } from '../file-system.ts'
import { type PlacesToFlush, sentFault } from './blob-files.ts'
import type { BlobFileMessage, BlobFileReport, SentOutcome } from './threaded-blob-files.ts'
import { writeBlobFile } from './write-blob-file.ts'

/** Makes and flushes files for another thread, one call after another: see `threadedBlobFiles`. */
function reportOn(message: BlobFileMessage): BlobFileReport {
  if (message.kind === 'flush') return flush(message.places)
  const { incoming, files } = message
  return {
    kind: 'written',
    outcomes: files.map((file): SentOutcome => {
      try {
        return { firstMade: writeBlobFile(nodeFileSystem.sync, incoming, file) }
      } catch (error) {
        return { fault: sentFault(error) }
      }
    }),
  }
}

function flush({ files, directories }: PlacesToFlush): BlobFileReport {
  try {
    for (const path of files) flushPath(path, fdatasyncSync)
    for (const path of directories) flushPath(path, fsyncSync)
    return { kind: 'flushed' }
  } catch (error) {
    const isOfFlush = error instanceof FailedFlush
    return { kind: 'failed', fault: sentFault(isOfFlush ? error.cause : error), isOfFlush }
  }
}

class FailedFlush extends Error {}

function flushPath(path: string, flushFile: (descriptor: number) => void): void {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    if (isAbsence(error)) return
    throw error
  }
  try {
    flushFile(descriptor)
  } catch (cause) {
    throw new FailedFlush('A flush failed', { cause })
  } finally {
    closeSync(descriptor)
  }
}

parentPort?.on('message', (message: BlobFileMessage) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(reportOn(message)),
)
