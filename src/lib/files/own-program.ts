import { programFile } from './program-files.ts'

interface Started {
  readonly cmd: readonly string[]
  /** To be added to the environment of the child. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * How a file of ours is run in a process of its own. One executable is the runtime and all programs: it
 * runs the one that its first word names (`src/executable.ts`), and has flags of the runtime from the
 * environment.
 */
export function ownProgram(path: string, flags: readonly string[]): Started {
  const program = programFile(path)
  return Bun.isStandaloneExecutable
    ? { cmd: [process.execPath, program], env: { BUN_OPTIONS: flags.join(' ') } }
    : { cmd: [process.execPath, ...flags, program], env: {} }
}
