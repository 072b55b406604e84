import { expect, test } from 'bun:test'

import { pebble, startAcmeServer } from '../support/acme-server.ts'
import { makeCertificate, openssl } from '../support/certificates.ts'
import { type ClusterNode, startCluster } from '../support/cluster.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { shownCertificate } from '../support/shown-certificate.ts'
import { until } from '../support/until.ts'

const canRun = have('certificates of a cluster', pebble, openssl, postgres, s3Server)
const limitMs = 180_000
const hostname = 'www.acme.example'
const unverified: BunFetchRequestInit = { tls: { rejectUnauthorized: false } }

async function core(node: ClusterNode, what: string, body?: unknown) {
  const [method = '', path = ''] = what.split(' ')
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const init = { ...unverified, method, headers: account, ...sent }
  const response = await fetch(`${node.url}/api/core/${path}`, init)
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

test.skipIf(!canRun)(
  'a certificate that one node ordered is shown by all, and by the one that takes over as it is',
  async () => {
    await using directory = await temporaryDirectory()
    let asked: ClusterNode | undefined
    // The ACME server asks a node that did not order.
    using challenges = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) =>
        fetch(`${asked?.url}${new URL(request.url).pathname}`, {
          ...unverified,
          headers: { Host: hostname },
        }),
    })
    await using acme = await startAcmeServer({ httpPort: challenges.port ?? 0 })
    const standard = makeCertificate(directory.path, 'standard', '127.0.0.1')
    await using cluster = await startCluster({
      nodeCount: 2,
      scheme: 'https',
      environment: {
        TLS_CERT_FILE: standard.certificateFile,
        TLS_KEY_FILE: standard.keyFile,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        CNAME_TARGET: 'edge.cdn.example',
        ACME_DIRECTORY: acme.directoryUrl,
        ACME_CA_FILE: acme.caFile,
        DNS_SERVERS: acme.nameServer,
      },
    })
    await until(async () => (await cluster.writer()) !== undefined)
    const writer = await cluster.writer()
    const other = cluster.nodes.find((node) => node !== writer)
    if (writer === undefined || other === undefined) throw new Error('there are not two nodes')
    asked = other
    expect((await core(other, 'POST zones', { Name: 'acme' })).status).toBe(201)
    await acme.alias(hostname, 'edge.cdn.example')
    await core(other, 'POST zones/acme/domains', { Hostname: hostname })
    const root = await acme.root()
    const shows = async (node: ClusterNode) =>
      (await shownCertificate(node.url, hostname, root)).isGood
    for (const node of [writer, other])
      await until(() => shows(node), 'a node does not show the certificate')
    const { certificate } = await shownCertificate(other.url, hostname, root)

    await cluster.kill(writer)
    await until(async () => (await cluster.writer()) === other, 'nobody takes over')
    const isActive = async () => {
      const { status, json } = await core(other, `GET zones/acme/domains/${hostname}`)
      return status === 200 && json['SslStatus'] === 'active'
    }
    await until(isActive)
    const now = await shownCertificate(other.url, hostname, root)
    expect([now.isGood, now.certificate.serialNumber]).toEqual([true, certificate.serialNumber])
    await cluster.start(writer)
    await until(() => shows(writer), 'the node that came back shows no certificate')
  },
  limitMs,
)
