import type { PortSteering } from '../../ports/traffic/port-steering.ts'
import type { Certificate } from './certificates.ts'
import type { Listener } from '../listener.ts'

/** A process that listens on the port: this one, or a worker. */
export interface CertificateHolder {
  /** Opens another listener with these beside the former one; resolves to how many did. */
  openBeside(certificates: readonly Certificate[]): Promise<number>
  /** Closes the former one once what it has in flight has its response. */
  closeFormer(): void
}

/** This process, with its one listener. */
export const holderOf = (
  listener: Pick<Listener, 'openBeside' | 'closeFormer'>,
  onShown: (certificates: readonly Certificate[]) => void = () => undefined,
): CertificateHolder => ({
  async openBeside(certificates) {
    listener.openBeside(certificates)
    onShown(certificates)
    return 1
  },
  closeFormer: () => listener.closeFormer(),
})

interface Options {
  readonly port: number
  readonly holders: readonly CertificateHolder[]
  readonly steering: PortSteering | undefined
  /** Resolves after so long, or at once when the service ends. */
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Brings certificates to new connections; changes that come in the meantime are made together. */
export interface CertificateRotation {
  /** Answers once every new connection is shown these, or later ones. */
  change(certificates: readonly Certificate[]): Promise<void>
}

/** So long a connection may take from its first packet to its first request. */
const settlingMs = 3_000
/** So long after it was told to, every process has closed its former listener. */
const closingMs = 500

/**
 * Bun cannot change the certificates of a listener, so another is opened on the same port. The kernel
 * is told to send new connections there; what is on its way to the former one gets through, and only
 * then is that closed. So nobody is cut off.
 */
export function createCertificateRotation({
  port,
  holders,
  steering,
  wait,
}: Options): CertificateRotation {
  let isRotating = false
  let next:
    { certificates: readonly Certificate[]; readonly done: PromiseWithResolvers<void> } | undefined

  async function rotate(certificates: readonly Certificate[]): Promise<void> {
    isRotating = true
    try {
      const opened = await Promise.all(holders.map((each) => each.openBeside(certificates)))
      const count = opened.reduce((sum, each) => sum + each, 0)
      // As many are there from before, in the places ahead of the new ones.
      steering?.steer(port, { from: count, count })
      void settle(count)
    } catch (error) {
      ended()
      throw error
    }
  }

  async function settle(count: number): Promise<void> {
    await wait(settlingMs)
    // While places are vacated one by one, this is sure to be one of the new.
    steering?.steer(port, { from: count, count: 1 })
    for (const each of holders) each.closeFormer()
    await wait(closingMs)
    steering?.release(port)
    ended()
  }

  function ended(): void {
    isRotating = false
    if (next === undefined) return
    const { certificates, done } = next
    next = undefined
    rotate(certificates).then(done.resolve, done.reject)
  }

  return {
    async change(certificates) {
      if (!isRotating) return await rotate(certificates)
      next ??= { certificates, done: Promise.withResolvers<void>() }
      next.certificates = certificates
      return await next.done.promise
    },
  }
}
