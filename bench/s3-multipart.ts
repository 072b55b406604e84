/**
 * A file of 1 GB sent in parts of 8 MiB, four at once, by the same small client: to a real service, whose
 * memory is looked at meanwhile, and to versitygw (posix), which keeps files on the same disk, in turn.
 */
import { join } from 'node:path'

import { startS3 } from '../test/support/s3-server.ts'
import { s3KeyFrom } from '../test/support/s3-client.ts'
import { account, startService, temporaryDirectory } from '../test/support/service-process.ts'
import { compare, median, report } from './harness.ts'
import { cpuSeconds, peakGrowth } from './process-usage.ts'
import { makeDifferent, writeRandom } from './random-file.ts'
import { type Bucket, send, uploadInParts } from './s3-uploader.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const fileBytes = Number(process.env['UPLOAD_MB'] ?? 1000) * 1e6
const megabyte = 1e6
const parts = { partBytes: 8 * 2 ** 20, partsAtOnce: 4 }

await using directory = await temporaryDirectory()
const file = join(directory.path, 'film.bin')
await writeRandom(file, fileBytes)
await using service = await startService({
  dataDirectory: join(directory.path, 'data'),
  environment: { MAX_STAGED_GB: '50' },
})
await fetch(`${service.url}/api/core/zones`, {
  method: 'POST',
  headers: account,
  body: '{"Name":"bench"}',
})
const ours: Bucket = {
  url: `${service.url}/s3/bench`,
  credentials: await s3KeyFrom((path, init) => fetch(`${service.url}${path}`, init)),
}
await using peer = await startS3()
const { bucket } = (await peer.createBucket()).location()
const theirs: Bucket = {
  url: `http://127.0.0.1:${peer.port}/${bucket}`,
  credentials: peer.credentials,
}

const growth: number[] = []
const cpu: number[] = []
const ratios = await compare({
  title: `${fileBytes / megabyte} MB in parts (MB/s)`,
  ours: {
    name: 'sedge',
    async run(round) {
      await makeDifferent(file, round)
      let rate = 0
      const before = await cpuSeconds(service.pid)
      growth.push(
        await peakGrowth(service.pid, async () => void (rate = await timed(() => upload(ours)))),
      )
      cpu.push((await cpuSeconds(service.pid)) - before)
      await send(ours, { method: 'DELETE', key: 'film.bin' })
      return rate
    },
  },
  peers: [
    {
      name: 'versitygw posix',
      async run() {
        const rate = await timed(() => upload(theirs))
        await send(theirs, { method: 'DELETE', key: 'film.bin' })
        return rate
      },
    },
  ],
  rounds,
})
console.log(`memory grows by ${growth.map(inMegabytes).join(', ')} MB`)
console.log(`processors: ${cpu.map((seconds) => seconds.toFixed(1)).join(', ')} s`)
await report('s3-multipart', [
  {
    what: 'throughput of 1 GB in parts against versitygw (posix), which flushes nothing',
    figure: '≥ 0.7x',
    measured: `${ratios.get('versitygw posix')?.toFixed(2)}x`,
  },
  {
    what: 'growth of the memory of the process, median',
    figure: '≤ 60 MB',
    measured: `${inMegabytes(median(growth))} MB`,
  },
])

async function upload(to: Bucket): Promise<void> {
  await uploadInParts(to, { key: 'film.bin', file: Bun.file(file), ...parts })
}

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(0)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return fileBytes / megabyte / ((performance.now() - start) / 1000)
}
