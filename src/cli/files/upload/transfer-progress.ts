import { humanSize } from '../../../domain/catalog/human-size.ts'
import { type Terminal, terminalProgress } from '../../support/command.ts'
import { type ByteCount, largeFromBytes } from './large-files.ts'

interface SizedFile {
  readonly sizeBytes: number
}

interface TransferProgress extends ByteCount {
  onFile(file: SizedFile): void
  finish(): void
}

/** How far files are: in bytes where one of them is large, so that rate and time left mean something. */
export function transferProgress(
  files: readonly SizedFile[],
  terminal: Terminal,
): TransferProgress {
  const label = 'storing'
  if (files.every(isSmall)) {
    const progress = terminalProgress({ label, total: files.length, unit: 'files' }, terminal)
    const uncounted = { advance: () => {}, skip: () => {} }
    return { ...progress, ...uncounted, onFile: () => progress.advance(1) }
  }
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const progress = terminalProgress({ label, total, unit: 'bytes', amount: humanSize }, terminal)
  return {
    ...progress,
    onFile: (file) => {
      if (isSmall(file)) progress.advance(file.sizeBytes)
    },
  }
}

const isSmall = ({ sizeBytes }: SizedFile): boolean => sizeBytes < largeFromBytes
