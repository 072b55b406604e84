import { join } from 'node:path'

import { testKeys } from './service-process.ts'

const cli = join(import.meta.dir, '..', '..', 'src', 'cli', 'main.ts')

/** Runs a command to its end, as a person at a terminal without a terminal would. */
export async function sedge(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const child = Bun.spawn([process.execPath, '--no-orphans', cli, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...testKeys, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, error, exitCode }
}
