import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type PlannedFile, titleOf } from './plan.ts'

/** What came of a test file. */
export interface FileResult {
  readonly title: string
  readonly seconds: number
  /** How long processors were at work for it and for what it started and waited for. */
  readonly processorSeconds: number
  readonly passed: number
  /** At least one where the file did not end well, whatever it said. */
  readonly failed: number
  /** What was not tested, and what it needs. */
  readonly skipped: readonly string[]
  readonly output: string
  /** Whether it failed beside others and passed alone. */
  readonly isUnsteady?: boolean
}

interface Place {
  readonly root: string
  /** What the file writes goes here and is removed after the run. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Ends the file, and all that it started. */
  readonly signal: AbortSignal
}

/** A test alone may take so long where it does not say otherwise; the machine is shared with others. */
const testTimeoutMs = 60_000
const fileTimeoutMs = 900_000

/** Runs a test file in a process of its own, and ends whatever that leaves behind. */
export async function runFile(
  file: PlannedFile,
  { root, directory, environment, signal }: Place,
): Promise<FileResult> {
  const start = performance.now()
  // Into a file: a pipe would wait for every process that a failed test left behind. Both outputs append, or
  // one would write over the other.
  const path = join(directory, 'output')
  await using written = await open(path, 'a')
  const child = Bun.spawn(
    [process.execPath, 'test', '--timeout', String(testTimeoutMs), `./${file.path}`],
    {
      cwd: root,
      env: { ...environment, TMPDIR: directory },
      detached: true,
      stdio: ['ignore', written.fd, written.fd],
    },
  )
  const end = (): void => endGroup(child.pid)
  signal.addEventListener('abort', end)
  const timeout = setTimeout(end, fileTimeoutMs)
  const exitCode = await child.exited
  clearTimeout(timeout)
  signal.removeEventListener('abort', end)
  end()
  return {
    title: titleOf(file),
    seconds: (performance.now() - start) / 1000,
    processorSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
    ...readOutput(await readFile(path, 'utf8'), exitCode),
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody of it is left.
  }
}

/** What `bun test` said of one file. */
export function readOutput(
  output: string,
  exitCode: number,
): Pick<FileResult, 'passed' | 'failed' | 'skipped' | 'output'> {
  const count = (what: string): number =>
    Number(new RegExp(`^ *(\\d+) ${what}$`, 'mu').exec(output)?.[1] ?? 0)
  const [passed, failed, skips] = [count('pass'), count('fail'), count('skip')]
  const reasons = [...output.matchAll(/^skipped: .*$/gmu)].map(([line]) => line)
  const skipped = reasons.length === 0 && skips > 0 ? [`skipped: ${skips} tests`] : reasons
  // A file that has nothing to say is one whose tests got lost.
  const isSilent = passed + failed + skipped.length === 0
  const isBad = exitCode !== 0 || isSilent
  return { passed, failed: isBad ? Math.max(failed, 1) : failed, skipped, output }
}
