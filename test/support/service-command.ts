import { join } from 'node:path'

/** Names the file that a run of many files compiled the service into. */
export const compiledServiceName = 'TEST_SERVICE_PROGRAM'

const cli = join(import.meta.dir, '..', '..', 'src', 'cli', 'main.ts')

/** How `sedge` is started, so that it ends with the test: compiled, where the run has done that, or from its sources. */
export function serviceCommand(): readonly string[] {
  const compiled = process.env[compiledServiceName]
  return compiled === undefined ? [process.execPath, '--no-orphans', cli] : [compiled]
}
