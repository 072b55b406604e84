import { setTimeout as wait } from 'node:timers/promises'

import type { TlsSettings } from '../../config/config.ts'
import type { Log } from '../../lib/log.ts'
import {
  type Certificate,
  type KeptCertificates,
  readCertificates,
  withKept,
} from './certificates.ts'
import { type CertificateHolder, createCertificateRotation } from './certificate-rotation.ts'
import { openReuseportSteering } from '../../adapters/linux/reuseport-steering.ts'

interface Options {
  readonly tls: TlsSettings
  /** What its files held at the start. */
  readonly files: readonly Certificate[]
  readonly kept: KeptCertificates | undefined
  readonly holders: readonly CertificateHolder[]
  readonly port: number
  /** Whether nobody but the holders listens on it. */
  readonly isAlone: boolean
  readonly log: Log
  readonly opening: AsyncDisposableStack
}

/** Shows clients what the files hold after each `SIGHUP`, and what the service keeps for its domains. */
export function followCertificates(options: Options): void {
  const { tls, kept, holders, port, isAlone, log, opening } = options
  let { files } = options
  const ending = new AbortController()
  opening.defer(() => ending.abort())
  const rotation = createCertificateRotation({
    port,
    holders,
    steering: isAlone ? openReuseportSteering() : undefined,
    wait: (milliseconds) =>
      wait(milliseconds, undefined, { signal: ending.signal }).catch(() => undefined),
  })
  const show = () => rotation.change(withKept(files, kept?.all() ?? []))
  kept?.showWith(show)

  async function readAgain(): Promise<void> {
    try {
      files = await readCertificates(tls)
      await show()
      log.info('the certificate files were read again')
    } catch (error) {
      log.error('certificates could not be renewed; the former ones stay', { error })
    }
  }

  onHangUps(() => void readAgain(), opening)
}

/** Without certificates there is nothing to read again; and nobody means to end the process by it. */
export const ignoreHangUps = (opening: AsyncDisposableStack): void =>
  onHangUps(() => undefined, opening)

function onHangUps(listener: () => void, opening: AsyncDisposableStack): void {
  process.on('SIGHUP', listener)
  opening.defer(() => void process.off('SIGHUP', listener))
}
