import { join } from 'node:path'

import { freePort } from './free-port.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { startS3, type BlobServer } from './s3-server.ts'
import {
  type ServiceProcess,
  endOfService,
  startService,
  type TemporaryDirectory,
  temporaryDirectory,
} from './service-process.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A node, and the ways by which it reaches the servers. */
export interface ClusterNode {
  /** `undefined` while it is down. */
  process: ServiceProcess | undefined
  readonly url: string
  readonly dataDirectory: string
  readonly toDatabase: TcpProxy
  readonly toBlobs: TcpProxy
}

/** Nodes on loopback with one PostgreSQL and one S3 server. */
export interface Cluster extends AsyncDisposable {
  readonly database: PostgresServer
  readonly blobs: BlobServer
  readonly nodes: readonly ClusterNode[]
  start(node: ClusterNode): Promise<void>
  /** Starts a node that is expected to end of itself; answers how it ended and what it said. */
  tryStart(
    node: ClusterNode,
    environment: Readonly<Record<string, string>>,
  ): Promise<{ readonly exitCode: number; readonly said: string }>
  /** Kills a node; nothing of it is asked before. */
  kill(node: ClusterNode): Promise<void>
  /** Starts a node again that ends of itself, as whatever it runs under does. */
  startAgain(node: ClusterNode): Promise<void>
  /** The node that has the right to write, as the database says. */
  writer(): Promise<ClusterNode | undefined>
}

interface Options {
  readonly nodeCount: number
  /** How nodes are reached; with `https` the environment has to name certificates. */
  readonly scheme?: 'http' | 'https'
  readonly environment?: Readonly<Record<string, string>>
}

export async function startCluster({
  nodeCount,
  scheme = 'http',
  environment,
}: Options): Promise<Cluster> {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const database = opening.use(await startPostgres())
  const blobs = opening.use(await startS3())
  const databaseUrl = new URL(await database.createDatabase())
  const bucket = await blobs.createBucket()
  const { accessKeyId, secretAccessKey } = blobs.credentials
  const nodes: ClusterNode[] = []
  for (let number = 1; number <= nodeCount; number += 1)
    nodes.push(await prepareNode(number, { scheme, directory, database, blobs, opening }))

  function settingsOf(node: ClusterNode): Readonly<Record<string, string>> {
    const through = new URL(databaseUrl)
    through.port = String(node.toDatabase.port)
    return {
      PORT: new URL(node.url).port,
      CLUSTER_ADDRESS: node.url,
      DATABASE_URL: through.href,
      BLOB_STORE: bucket.url(node.toBlobs.port),
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      WEBHOOK_SECRET_KEY: 'test-webhook-secret-key-0123456789',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'silent',
      ...environment,
    }
  }

  async function start(node: ClusterNode): Promise<void> {
    const { dataDirectory } = node
    node.process = await startService({ dataDirectory, environment: settingsOf(node) })
  }

  async function kill(node: ClusterNode): Promise<void> {
    await node.process?.kill()
    node.process = undefined
  }

  async function startAgain(node: ClusterNode): Promise<void> {
    await node.process?.exited
    await start(node)
  }

  async function writer(): Promise<ClusterNode | undefined> {
    const sql = new Bun.SQL(databaseUrl.href, { max: 1 })
    try {
      const rows = (await sql`
        select address as url from writer_lease
        where ends_at > extract(epoch from clock_timestamp()) * 1000`) as { url: string }[]
      return nodes.find(({ url }) => url === rows[0]?.url)
    } finally {
      await sql.close()
    }
  }

  for (const node of nodes) {
    await start(node)
    opening.defer(() => kill(node))
  }
  const opened = opening.move()
  return {
    database,
    blobs,
    nodes,
    start,
    tryStart: ({ dataDirectory, ...node }, more) =>
      endOfService({
        dataDirectory,
        environment: { ...settingsOf({ dataDirectory, ...node }), ...more },
      }),
    kill,
    startAgain,
    writer,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

interface Ground {
  readonly scheme: string
  readonly directory: TemporaryDirectory
  readonly database: PostgresServer
  readonly blobs: BlobServer
  readonly opening: AsyncDisposableStack
}

async function prepareNode(
  number: number,
  { scheme, directory, database, blobs, opening }: Ground,
): Promise<ClusterNode> {
  return {
    process: undefined,
    url: `${scheme}://127.0.0.1:${await freePort()}`,
    dataDirectory: join(directory.path, `node-${number}`),
    toDatabase: opening.use(await openTcpProxy(database.port)),
    toBlobs: opening.use(await openTcpProxy(blobs.port)),
  }
}
