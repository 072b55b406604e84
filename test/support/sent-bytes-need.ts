import { openKernelSentBytes } from '../../src/adapters/linux/kernel-sent-bytes.ts'
import type { Need } from './needs.ts'

/** Asks of a connection of our own: containers may have the socket, and no answers. */
export const kernelTellsSentBytes: Need = {
  what: 'a kernel that tells of its connections (sock_diag)',
  howToGetIt: 'Linux with the module tcp_diag',
  isThere() {
    using sentBytes = openKernelSentBytes(() => performance.now())
    return sentBytes !== undefined
  },
}
