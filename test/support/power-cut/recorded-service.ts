import { readFile } from 'node:fs/promises'

import { startService } from '../service-process.ts'
import type { Disk, Node } from './disk.ts'
import type { Timeline } from './cut-states.ts'
import { readDisk } from './laid-out.ts'
import { recordedCalls, recordFiles } from './recorded-calls.ts'
import { readTrace } from './trace-lines.ts'

/** All that a service and its children did to the data directory. */
export interface Recording extends Timeline {
  /** As it was before, all of it flushed. */
  readonly before: Disk
  isDirectory(node: Node): boolean
  /** The last line that was written before or at that time, in milliseconds since 1970. */
  lineAt(time: number): number
  readonly lines: number
}

interface Options {
  readonly dataDirectory: string
  /** Where the trace is written. */
  readonly file: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The time of the trace, with what is below a millisecond. */
export const preciseNow = (): number => performance.timeOrigin + performance.now()

/**
 * Runs a service while `work` asks it, and kills it. The directory is to be that of a service that was stopped;
 * where there is none, one is begun.
 */
export async function recordService(
  { dataDirectory, file, environment = {} }: Options,
  work: (url: string) => Promise<void>,
): Promise<Recording> {
  const { nodes, ...before } = await readDisk(dataDirectory)
  const service = await startService({
    dataDirectory,
    environment: { CHECK_RESPONSES: 'false', ...environment },
    under: [
      'strace',
      '--follow-forks',
      '--seccomp-bpf',
      '-y',
      '-xx',
      '-ttt',
      '-qq',
      '--string-limit=67108864',
      '--signal=none',
      `--output=${file}`,
      `--trace=${recordedCalls.map((name) => `?${name}`).join(',')}`,
    ],
  })
  await work(service.url)
  const children = await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8')
  process.kill(Number(children.trim().split(' ')[0]), 'SIGKILL')
  await service.exited
  const { calls, times } = readTrace(await Bun.file(file).text())
  const recorded = recordFiles(calls, {
    root: dataDirectory,
    nodes,
    directories: new Set(before.directories.keys()),
    sizes: new Map([...before.files].map(([node, bytes]) => [node, bytes.length])),
  })
  return {
    before,
    operations: recorded.operations,
    flushes: recorded.flushes,
    isDirectory: (node) => recorded.directories.has(node),
    lineAt: (time) => lastAt(times, time),
    lines: times.length,
  }
}

function lastAt(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? Infinity) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}
