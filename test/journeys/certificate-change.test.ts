import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'bun:test'

import { makeCertificate, openssl } from '../support/certificates.ts'
import { startConnectionLoad } from '../support/connection-load.ts'
import { have } from '../support/needs.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { sharedPorts } from '../support/shared-port.ts'

const canRun = have('certificates that change under load', openssl, sharedPorts)
const overTls = { tls: { rejectUnauthorized: false } }
const changes = 10
const betweenChangesMs = 700

for (const workers of [0, 1])
  test.skipIf(!canRun)(
    `nobody is cut off while certificates change, with ${workers} edge workers`,
    async () => {
      await using directory = await temporaryDirectory()
      const [odd, even] = ['odd', 'even'].map((name) =>
        makeCertificate(directory.path, name, `${name}.example`),
      )
      const shown = makeCertificate(directory.path, 'shown', 'first.example')
      await using service = await startService({
        dataDirectory: join(directory.path, 'data'),
        environment: {
          TLS_CERT_FILE: shown.certificateFile,
          TLS_KEY_FILE: shown.keyFile,
          EDGE_WORKERS: String(workers),
          LOG_LEVEL: 'error',
        },
      })
      const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}', ...overTls }
      await fetch(`${service.url}/api/core/zones`, zone)
      const file = { method: 'PUT', headers: access, body: 'hello', ...overTls }
      await fetch(`${service.url}/api/storage/acme/v1/a.txt`, file)

      const url = `${service.url}/acme/v1/a.txt`
      const load = startConnectionLoad({ url, connecting: 4, staying: 2 })
      for (let change = 0; change < changes; change += 1) {
        const next = change % 2 === 0 ? even : odd
        await cp(next?.certificateFile ?? '', shown.certificateFile)
        await cp(next?.keyFile ?? '', shown.keyFile)
        process.kill(service.pid, 'SIGHUP')
        await Bun.sleep(betweenChangesMs)
      }
      const { responses, failures, names } = await load.end()

      expect(failures).toEqual([])
      expect(responses).toBeGreaterThan(100)
      // Changes that follow each other closely are made together.
      expect(names.size).toBeGreaterThan(1)
    },
    60_000,
  )
