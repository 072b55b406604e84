import { join } from 'node:path'

import type { Need } from './needs.ts'

const program = join(import.meta.dir, '..', 'fixtures', 'ask-kernel.ts')

/** Asks of a real connection: a container may give the socket, and no responses. */
export const kernelTellsSentBytes: Need = {
  what: 'a kernel that tells of its connections (sock_diag)',
  howToGetIt: 'Linux with the module tcp_diag',
  isThere: () => Bun.spawnSync([process.execPath, program]).exitCode === 0,
}
